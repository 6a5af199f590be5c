"""Lighthouse on the shipped course's site, as a phone and as a desk: ``python -m bench lighthouse``.

The phone is Lighthouse's own (a slow 4G line and a processor four times slower, both simulated), so its times are those
of a slower machine than the one that measures; scores go from 0 to 100. ``OPENBOOK_LIGHTHOUSE_SITE`` names a site that
has been built already.
"""

from __future__ import annotations

import json
import os
import subprocess
from contextlib import nullcontext
from pathlib import Path
from typing import Any

from bench.labelled import markdown
from bench.site import ROOT, built_site
from openbook.browser import find_chromium
from openbook.pages.serve import serving

LIGHTHOUSE = ROOT / "web/node_modules/.bin/lighthouse"
PAGES = {
    "asking": "",
    "notes": "lectures/l08-evaluating-on-groups-and-time/notes.html",
    "deck": "lectures/l08-evaluating-on-groups-and-time/slides.html",
    "evaluation": "evaluation/index.html",
}
DEVICES = {"phone": (), "desk": ("--preset=desktop",)}
CATEGORIES = ("performance", "accessibility", "best-practices", "seo")
METRICS = {
    "first paint, s": "first-contentful-paint",
    "largest paint, s": "largest-contentful-paint",
    "blocked, ms": "total-blocking-time",
    "layout shift": "cumulative-layout-shift",
}
_SECONDS = ("first-contentful-paint", "largest-contentful-paint")


def measured(url: str, device: str) -> dict[str, Any]:
    """Lighthouse's report on a page."""
    flags = "--chrome-flags=--headless=new --no-sandbox --disable-quic --no-first-run"
    command = [str(LIGHTHOUSE), url, "--output=json", "--output-path=stdout", "--quiet", flags, *DEVICES[device]]
    command.append(f"--only-categories={','.join(CATEGORIES)}")
    environment = {**os.environ, "CHROME_PATH": str(find_chromium())}
    done = subprocess.run(command, capture_output=True, check=True, env=environment, timeout=300)
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def failing(report: dict[str, Any]) -> list[str]:
    """Names of the audits that cost a point, with what they show."""
    weights = {one["id"]: one["weight"] for name in CATEGORIES for one in report["categories"][name]["auditRefs"]}
    return [
        f"{name} ({audit.get('displayValue') or audit['score']})"
        for name, audit in report["audits"].items()
        if weights.get(name) and audit["score"] is not None and audit["score"] < 0.9
    ]


def run() -> list[tuple[str, str]]:
    """Scores and times, one row a page and device."""
    given = os.environ.get("OPENBOOK_LIGHTHOUSE_SITE")
    rows: list[list[str]] = []
    with nullcontext(Path(given)) if given else built_site() as site, serving(site) as url:
        for page, path in PAGES.items():
            for device in DEVICES:
                report = measured(url + path, device)
                scores = [f"{100 * report['categories'][name]['score']:.0f}" for name in CATEGORIES]
                values = [(report["audits"][audit]["numericValue"], audit) for audit in METRICS.values()]
                shown = [
                    f"{value / 1000:.1f}"
                    if audit in _SECONDS
                    else f"{value:.0f}"
                    if "time" in audit
                    else f"{value:.3f}"
                    for value, audit in values
                ]
                rows.append([page, device, *scores, *shown, ", ".join(failing(report)) or "none"])
    head = ["Page", "Device", *CATEGORIES, *METRICS, "Audits below 0.9"]
    return [("Lighthouse 12.2.3 on the shipped course", markdown(head, rows))]
