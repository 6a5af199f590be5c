"""The check of citations on sentences labelled by hand: what it catches, and what it suspects for nothing.

``python -m bench citations``. The thresholds were chosen on the dev half of ``gold/citations.toml``; the tables are of
the test half. Intervals are Wilson's, 95 %.
"""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.labelled import markdown, wilson
from openbook.config import load_config
from openbook.evaluation.citations import FAITHFUL, Sentence, check_gold, load_citations, right
from openbook.index.pieces import question_pieces
from openbook.index.read import load_index
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.retrieval.trace import CheckedSentence

ROOT = Path(__file__).resolve().parents[1]

Checked = list[tuple[Sentence, CheckedSentence]]


def run() -> list[tuple[str, str]]:
    """Tables, each with its heading."""
    config = load_config(ROOT)
    sentences = load_citations(ROOT / "gold" / "citations.toml")
    prepared = prepare(config, config.today(), Reporter(), EmbeddingCache())
    encoder = prepared.encoder
    special = encoder.count_tokens("")
    with tempfile.TemporaryDirectory(prefix="openbook-") as name:
        prepared.write(config, Path(name), {})
        index = load_index(Path(name) / INDEX)

        def checked(token_vectors: bool) -> Checked:
            found = check_gold(
                index,
                sentences,
                lambda text: question_pieces(encoder, text),
                lambda text: encoder.count_tokens(text) - special,
                config.settings.retrieval.check,
                token_vectors=token_vectors,
            )
            pairs = zip(sentences, found, strict=True)
            return [(one, verdict) for one, verdict in pairs if one.split == "test"]

        late, words = checked(True), checked(False)
    return [
        (
            "Caught, and suspected for nothing (test half)",
            _summary((("MaxSim and words", late), ("words alone", words))),
        ),
        ("By kind (test half, MaxSim and words)", _kinds(late)),
    ]


def _summary(ways: Sequence[tuple[str, Checked]]) -> str:
    rows = []
    for name, pairs in ways:
        wrong = [not right(one, found.verdict) for one, found in pairs if one.kind in FAITHFUL]
        caught = [right(one, found.verdict) for one, found in pairs if one.kind not in FAITHFUL]
        rows.append((name, wilson(caught), wilson(wrong)))
    return markdown(("", "faulty sentences that are not called supported", "faithful ones that are not either"), rows)


def _kinds(pairs: Checked) -> str:
    kinds = dict.fromkeys(one.kind for one, _ in pairs)
    verdicts = ("supported", "weak", "unsupported", "uncited", "unknown-citation")
    rows = []
    for kind in kinds:
        found = [checked.verdict for one, checked in pairs if one.kind == kind]
        rows.append((kind, len(found), *(found.count(verdict) for verdict in verdicts)))
    return markdown(("kind", "sentences", *verdicts), rows)
