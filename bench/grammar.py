"""What a grammar does for citations: how many sentences of a small model cite a passage, and one that says the same.

``python -m bench grammar``; needs the packages of ``models_here.py``, else it prints nothing. SmolLM2-135M answers
every sixth question (``OPENBOOK_BENCH_EVERY``) of the dev half of the gold set from the first two sections that answer
it, in three ways: free; under the grammar that ships, in which brackets hold given numbers only; and under one in which
every sentence ends with a citation. What was written is kept, so that a run that is ended goes on where it was.
"""

from __future__ import annotations

import os
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.harness import messages
from bench.labelled import markdown, wilson
from bench.models_here import Kept, complete, llama_server, smollm
from openbook.config import load_config
from openbook.evaluation.citations import section_passage
from openbook.evaluation.gold import load_gold
from openbook.index.read import load_index
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.retrieval.check import check
from openbook.retrieval.passages import cut
from openbook.retrieval.trace import CheckedSentence

ROOT = Path(__file__).resolve().parents[1]
WORDS = 60
"""Of a passage, so that a prompt is read in seconds."""
TOKENS = 80
PIECES = (
    "plain ::= [^\\[\\]`.!?\\n]",
    'code ::= "`" [^`\\n]* "`"',
    'citation ::= "[" number (", " number)* "]"',
    "number ::= NUMBERS",
)
GRAMMARS: dict[str, str | None] = {
    "free": None,
    "given numbers only (what ships)": "\n".join(
        ["root ::= piece+", "piece ::= text | code | citation", "text ::= [^\\[\\]`]", *PIECES[1:]]
    ),
    "a citation at the end of every sentence": "\n".join(
        [
            'root ::= "Not in the notes." | sentence (" " sentence)*',
            'sentence ::= (plain | code){12,160} " " citation "."',
            *PIECES,
        ]
    ),
}


def run() -> list[tuple[str, str]]:
    """A table with its heading; none where the model is not here."""
    config = load_config(ROOT)
    prepared = prepare(config, config.today(), Reporter(), EmbeddingCache())
    every = int(os.environ.get("OPENBOOK_BENCH_EVERY", "6"))
    questions = [one for one in load_gold(config.gold_path) if one.split == "dev" and len(one.relevant) > 0][::every]
    kept = Kept("grammar")
    with llama_server(smollm(), 1024) as api, tempfile.TemporaryDirectory(prefix="openbook-") as name:
        if api is None:
            return []
        prepared.write(config, Path(name), {})
        index = load_index(Path(name) / INDEX)
        rows = []
        for label, grammar in GRAMMARS.items():
            checked: list[CheckedSentence] = []
            refused = cut_off = 0
            for question in questions:
                passages = [section_passage(index, one, number) for number, one in enumerate(question.relevant[:2], 1)]
                given = [(one.passage.label, cut(one.passage.text, [], WORDS)) for one in passages]
                asked = messages(question.text, *given)
                found = kept.get(asked, grammar, TOKENS)
                if found is None:
                    numbers = " | ".join(f'"{number}"' for number, _ in enumerate(given, 1))
                    options = {"grammar": grammar.replace("NUMBERS", numbers)} if grammar else {}
                    choice = complete(api, asked, max_tokens=TOKENS, **options)["choices"][0]
                    found = kept.put([choice["message"]["content"], choice["finish_reason"]], asked, grammar, TOKENS)
                text, finish = found
                refused += text.startswith("Not in the notes")
                cut_off += finish == "length"
                checked += check(text, passages, index.keyword.rarity, None, config.settings.retrieval.check)
            rows.append((label, refused, cut_off, *_shares(checked)))
    heading = f"SmolLM2-135M on {len(questions)} questions, passages of {WORDS} words, {TOKENS} tokens at most"
    header = ("grammar", "refused", "cut off", "sentences that cite", "that cite what was not given", "supported")
    return [(heading, markdown(header, rows))]


def _shares(checked: Sequence[CheckedSentence]) -> tuple[str, str, str]:
    claims = [one for one in checked if one.verdict != "no-claim"]
    return (
        wilson([bool(one.citations) for one in claims]),
        wilson([one.verdict == "unknown-citation" for one in claims]),
        wilson([one.verdict == "supported" for one in claims]),
    )
