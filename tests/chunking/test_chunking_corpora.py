"""Real courses, as they are: nothing crashes, no heading is made up or missed, no visible word is lost."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from tokenizers import Tokenizer

from openbook.chunking import Chunk, chunk_document
from openbook.config import load_config
from openbook.course.catalogue import load_catalogue
from openbook.course.document import Document
from openbook.course.markdown import Parsed, inline_text
from openbook.course.readers import read_source
from openbook.course.readers.sections import label_titles

TOKENIZER = Path(__file__).parents[2] / "build/openbook/models/data/all-MiniLM-L6-v2/tokenizer.json"
CORPORA = ["carpentries-shell", "cs231n", "d2l-zh", "myst-parser-docs", "shell-es"]
WORD = re.compile(r"\w+")


@dataclass(frozen=True)
class Read:
    parsed: Parsed
    document: Document
    chunks: list[Chunk]


@cache
def corpus(folder: Path) -> list[Read]:
    tokenizer = Tokenizer.from_file(str(TOKENIZER))
    tokenizer.no_truncation()
    tokenizer.no_padding()
    config = load_config(folder)
    found = []
    for lecture in load_catalogue(config, date(2026, 12, 1)).lectures:
        for source in lecture.sources:
            reading = read_source(source, config, lecture)
            document = reading.document
            if reading.parsed is None:
                continue
            chunks = chunk_document(document, config.settings.chunks, 256, lambda text: len(tokenizer.encode(text).ids))
            found.append(Read(reading.parsed, document, chunks))
    return found


@pytest.fixture(params=CORPORA)
def files(request: pytest.FixtureRequest, shared_data: Path) -> list[Read]:
    return corpus(shared_data / "corpora" / request.param)


def test_chunks_are_within_the_limits_and_have_ids_of_their_own(files: list[Read]):
    chunks = [chunk for file in files for chunk in file.chunks]
    assert len(chunks) > 100
    assert max(chunk.tokens for chunk in chunks) <= 256
    assert max(chunk.words for chunk in chunks) <= 350
    assert all(chunk.text.strip() for chunk in chunks)
    assert len({chunk.id for chunk in chunks}) == len(chunks)


def test_no_visible_word_is_lost(files: list[Read]):
    for file in files:
        seen = Counter(word for chunk in file.chunks for word in WORD.findall(chunk.text))
        in_paths = {word for chunk in file.chunks for title in chunk.path for word in WORD.findall(title)}
        wanted: Counter[str] = Counter()
        for text, heading in visible(file.parsed):
            words = WORD.findall(text)
            if heading:
                assert all(word in in_paths or seen[word] for word in words), (file.document.source, text)
            else:
                wanted.update(words)
        lost = wanted - seen
        assert not lost, (file.document.source, lost.most_common(5))


def visible(parsed: Parsed) -> Iterator[tuple[str, bool]]:
    """Yield the text of tokens one by one, and whether it is a section's heading."""
    tokens, titles = parsed.tokens, label_titles(parsed)
    for index, token in enumerate(tokens):
        if token.hidden:
            continue
        if token.type == "inline":
            before = tokens[index - 1]
            yield inline_text(token.children, titles), bool(before.type == "heading_open" and before.meta["section"])
        elif token.type in ("fence", "code_block", "math_block", "math_block_label", "amsmath"):
            yield token.content, False


def test_headings_are_headings_of_the_source(files: list[Read]):
    """Independent of the parser: no section begins in the front matter, a fence, a comment or a box."""
    for file in files:
        if file.document.source.startswith("tests/"):
            # a parser's fixtures: front matter and headings that are meant to be odd
            continue
        outside = lines_outside(file.parsed.lines)
        for section in file.document.sections:
            if section.level == 0 or re.match(r"[`:]{3,}\{include\}", file.parsed.lines[section.start_line - 1]):
                continue
            number = section.start_line
            line = file.parsed.lines[number - 1]
            hashes = re.match(r" {0,3}(#{1,6})\s", line)
            # a heading with a line under it may itself take several lines
            underlined = any(re.match(r" {0,3}(=+|-+)\s*$", below) for below in file.parsed.lines[number : number + 3])
            assert hashes or underlined, (file.document.source, number, line)
            if hashes:
                assert len(hashes[1]) == section.level
                assert number in outside, (file.document.source, number, line)


def test_no_heading_is_missed(files: list[Read]):
    for file in files:
        if file.document.source.startswith("tests/") or file.document.source.endswith(".ipynb"):
            continue
        found = {section.start_line for section in file.document.sections}
        for number in lines_outside(file.parsed.lines):
            line = file.parsed.lines[number - 1]
            if re.match(r"#{1,6}\s+\w", line):
                assert number in found, (file.document.source, number, line)


def lines_outside(lines: list[str]) -> set[int]:
    """Return the numbers of lines that are in no front matter, fence, comment, box of colons or HTML box."""
    outside: set[int] = set()
    fence = ""
    comment = False
    boxes = 0
    matter = bool(lines) and lines[0].strip() == "---"
    for number, line in enumerate(lines, 1):
        text = line.strip()
        if matter:
            matter = number == 1 or text != "---"
            continue
        opening = re.match(r"(`{3,}|~{3,})", text)
        if fence:
            if opening and text == opening[1] and text[0] == fence[0] and len(text) >= len(fence):
                fence = ""
            continue
        if opening and "`" not in text[len(opening[1]) :]:
            fence = opening[1]
            continue
        if comment or text.startswith("<!--"):
            comment = "-->" not in text
            continue
        if text.startswith(":::"):
            boxes += 1 if text.strip(":").strip() else -1
            continue
        boxes += text.count("<details") - text.count("</details")
        if boxes == 0:
            outside.add(number)
    return outside


def test_marks_of_other_systems_are_not_text(shared_data: Path):
    texts = [chunk.text for file in corpus(shared_data / "corpora" / "d2l-zh") for chunk in file.chunks]
    assert not [text for text in texts if re.search(r"#@tab|:label:|:numref:|:begin_tab:|:end_tab:|:eqlabel:", text)]
    texts = [chunk.text for file in corpus(shared_data / "corpora" / "carpentries-shell") for chunk in file.chunks]
    assert not [text for text in texts if re.search(r"^:::|\{alt=", text, re.MULTILINE)]
    assert any("General syntax of a shell command" in text for text in texts)


def test_boxes_of_a_carpentries_lesson_stay_in_their_section(shared_data: Path):
    files = corpus(shared_data / "corpora" / "carpentries-shell")
    pipes = next(file for file in files if file.document.source.endswith("04-pipefilter.md"))
    section = {section.title: section for section in pipes.document.sections}
    assert "Why Isn't It Doing Anything?" not in section
    first = pipes.document.sections[0]
    assert any("Why Isn't It Doing Anything?" in block.text for block in first.blocks)
