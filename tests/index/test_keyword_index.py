"""The keyword index is what MiniSearch itself makes of the same documents; the library is run to say so."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from openbook.index.keyword import assemble, pack, serialise, split, unpack, utf16_key

Document = tuple[str | None, str | None]


def library(root: Path, tmp_path: Path, documents: list[Document], questions: list[str]) -> dict[str, Any]:
    node = shutil.which("node")
    if node is None or not (root / "web" / "node_modules" / "minisearch").is_dir():
        pytest.skip("node and web/node_modules are needed for this")
    rows = [
        {"id": n, **{k: v for k, v in zip(("title", "text"), document, strict=True) if v is not None}}
        for n, document in enumerate(documents)
    ]
    given_file = tmp_path / "documents.json"
    given_file.write_text(
        json.dumps({"documents": rows, "ours": serialise(documents), "questions": questions}), encoding="utf-8"
    )
    done = subprocess.run(
        [node, str(root / "tests" / "parity" / "minisearch.mjs"), str(given_file)],
        cwd=root / "web", capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer: dict[str, Any] = json.loads(done.stdout)
    return answer


def sorted_terms(serialised: str) -> bytes:
    """The library's JSON with its terms in UTF-16 order and nothing else changed."""
    value = json.loads(serialised)
    value["index"].sort(key=lambda entry: utf16_key(entry[0]))
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def same_as_library(root: Path, tmp_path: Path, documents: list[Document], questions: list[str]) -> None:
    answer = library(root, tmp_path, documents, questions)
    assert msgspec.json.encode(serialise(documents)) == sorted_terms(answer["serialised"])
    for question, (own, from_ours) in zip(questions, answer["hits"], strict=True):
        assert own == from_ours, question


HOLES: list[Document] = [
    ("Loss functions", None),
    (None, "Cross entropy, `nn.CrossEntropyLoss`, and zero_grad."),
    (None, None),
    ("", "a text under an empty title"),
    ("Losses", "The loss, the loss, the LOSS and cross-entropy."),
    ("学习", "机器学习 😀 C++"),
    ("constructor __proto__ toString", "hasOwnProperty __proto__"),
]


def test_missing_and_empty_fields(root: Path, tmp_path: Path) -> None:
    same_as_library(
        root, tmp_path, HOLES, ["loss", "cross entropy loss", "学习", "zero_grad C++", "__proto__", "nothing here?"]
    )


@pytest.mark.parametrize("documents", [[], [(None, None)], [(None, "only a text")], [("only a title", None)]])
def test_small_indexes(root: Path, tmp_path: Path, documents: list[Document]) -> None:
    same_as_library(root, tmp_path, documents, ["only text"])


def test_hundreds_of_passages(root: Path, shared_data: Path, tmp_path: Path) -> None:
    folder = shared_data / "ir" / "squad2-half-dev"
    rows = [json.loads(line) for line in (folder / "corpus.jsonl").read_text(encoding="utf-8").splitlines()]
    questions = [
        json.loads(line)["text"] for line in (folder / "queries.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    same_as_library(root, tmp_path, [(row["title"], row["text"]) for row in rows], questions[::30])


WORDS = st.sampled_from(["loss", "zero_grad", "K-Fold", "学习", "C++", "a", "Ü", "𠮷野", "", "ﬁt", "\ue000", "x1"])
FIELD = st.none() | st.lists(WORDS, max_size=8).map(" ".join)


def test_random_documents(root: Path, tmp_path: Path) -> None:
    documents: list[list[Document]] = []

    @settings(max_examples=40, database=None, derandomize=True, deadline=None)
    @given(st.lists(st.tuples(FIELD, FIELD), max_size=12))
    def collect(value: list[Document]) -> None:
        documents.append(value)

    collect()
    for number, value in enumerate(documents[::8]):
        folder = tmp_path / str(number)
        folder.mkdir()
        same_as_library(root, folder, value, ["loss zero_grad", "学习"])


@given(st.lists(st.tuples(FIELD, FIELD), max_size=30), st.integers(1, 400), st.integers(1, 20))
def test_base_and_shards_are_the_index_again(documents: list[Document], min_bytes: int, max_shards: int) -> None:
    whole = serialise(documents)
    base, shards = split(whole, min_bytes, max_shards)
    assert base["index"] == []
    assert assemble(base, shards) == whole
    assert [[unpack(pack(entry)) for entry in shard] for shard in shards] == shards
    assert all(shards)
    assert len(shards) <= max_shards + 1
    borders = [utf16_key(term) for shard in shards for term in (shard[0][0], shard[-1][0])]
    assert borders == sorted(borders)


def test_terms_are_in_the_order_of_javascript() -> None:
    # U+10000 and beyond are written with surrogates, which sort before U+E000.
    assert sorted(["\ue000", "\U00020bb7", "z", "学"], key=utf16_key) == ["z", "学", "\U00020bb7", "\ue000"]


def test_packed_postings_are_gaps_and_frequencies() -> None:
    entry = ("loss", {"0": {"0": 1, "2": 3}, "1": {"7": 2}})
    assert pack(entry) == ("loss", "0 1*3", "7*2")
    assert unpack(["loss", "0 1*3", "7*2"]) == entry
    assert pack(("x", {"1": {"0": 1, "1": 1}})) == ("x", "", "0 0")
    with pytest.raises(ValueError, match="invalid literal"):
        unpack(["loss", "", "1 two"])


def test_the_page_unpacks_what_the_build_packs(root: Path, tmp_path: Path) -> None:
    entries = serialise(HOLES)["index"]
    given_file = tmp_path / "packed.json"
    given_file.write_text(json.dumps([pack(entry) for entry in entries]), encoding="utf-8")
    node = shutil.which("node")
    if node is None or not (root / "web" / "node_modules" / "vite").is_dir():
        pytest.skip("node and web/node_modules are needed for this")
    done = subprocess.run(
        [node, str(root / "tests" / "parity" / "unpack.mjs"), str(given_file)],
        cwd=root / "web", capture_output=True, text=True, encoding="utf-8", check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout) == [list(entry) for entry in entries]
