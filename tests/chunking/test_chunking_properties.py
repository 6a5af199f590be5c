"""What holds of every document: nothing lost, nothing twice, no limit broken, lines and ids right."""

from __future__ import annotations

import re
from collections import Counter
from dataclasses import dataclass, field

import pytest
from chunking_support import count_words, document
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from openbook.chunking import Chunk, chunk_document
from openbook.settings import ChunkSettings

WORD = re.compile(r"w\d+x[a-z]*")
FEW = settings(max_examples=150, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@dataclass
class Source:
    """A Markdown text whose words are all different, and what is known of each."""

    lines: list[str] = field(default_factory=list)
    words: list[str] = field(default_factory=list)  # visible, in reading order
    line_of: dict[str, int] = field(default_factory=dict)
    headings: set[str] = field(default_factory=set)
    headers: set[str] = field(default_factory=set)  # of tables: may be repeated
    code: set[str] = field(default_factory=set)
    section_of: dict[str, int] = field(default_factory=dict)
    sections: int = 0
    mark: str = ""
    number: int = 0

    def word(self, *kinds: set[str]) -> str:
        """Make a word that stands on the line that is added next."""
        self.number += 1
        word = f"w{self.number}x{self.mark}"
        self.words.append(word)
        self.line_of[word] = len(self.lines) + 1
        self.section_of[word] = self.sections
        for kind in kinds:
            kind.add(word)
        return word

    def some(self, count: int, *kinds: set[str]) -> str:
        return " ".join(self.word(*kinds) for _ in range(count))

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n"


@st.composite
def plans(draw: st.DrawFn) -> list[tuple[str, list[int]]]:
    """A list of blocks, as a kind and the lengths of what is in it."""
    kind = st.sampled_from(
        ["p", "p", "list", "code", "table", "box", "quote", "math", "terms", "html", "div", "h", "h", "figure"]
    )
    lengths = st.lists(st.integers(1, 12), min_size=1, max_size=5)
    return draw(st.lists(st.tuples(kind, lengths), min_size=1, max_size=14))


def build(plan: list[tuple[str, list[int]]], marks: dict[int, str] | None = None) -> Source:
    """Write a plan as Markdown; ``marks`` ends the words of some sections' blocks differently, headings excepted."""
    source = Source()
    for kind, lengths in plan:
        source.mark = "" if kind == "h" else (marks or {}).get(source.sections, "")
        BUILDERS[kind](source, lengths)
        source.lines.append("")
    return source


def _heading(source: Source, lengths: list[int]) -> None:
    source.sections += 1
    level = lengths[0] % 5 + 1
    source.lines.append("#" * level + " " + source.some(min(3, lengths[-1]), source.headings))


def _paragraph(source: Source, lengths: list[int]) -> None:
    for number, length in enumerate(lengths):
        end = (",", ".", ":")[number % 3]
        source.lines.append(source.some(length).capitalize() + end)


def _list(source: Source, lengths: list[int]) -> None:
    for number, length in enumerate(lengths):
        source.lines.append(("  - " if number % 3 == 2 else "- ") + source.some(length))


def _code(source: Source, lengths: list[int]) -> None:
    source.lines.append("```python")
    for number, length in enumerate(lengths):
        source.lines.append("# " + source.some(length, source.code))
        if number % 2:
            source.lines.append("")
    source.lines.append("```")


def _table(source: Source, lengths: list[int]) -> None:
    source.lines.append(f"| {source.some(1, source.headers)} | {source.some(1, source.headers)} |")
    source.lines.append("|---|---|")
    for length in lengths:
        source.lines.append(f"| {source.some(length)} | {source.some(1)} |")


def _box(source: Source, lengths: list[int]) -> None:
    source.lines.append(":::{admonition} " + source.some(2))
    source.lines.append(":class: tip")
    for length in lengths:
        source.lines.append(source.some(length) + ".")
        source.lines.append("")
    source.lines.append(":::")


def _quote(source: Source, lengths: list[int]) -> None:
    for length in lengths:
        source.lines.append("> " + source.some(length))
        source.lines.append(">")
    source.lines.pop()


def _math(source: Source, lengths: list[int]) -> None:
    source.lines.append("$$")
    for length in lengths:
        source.lines.append(source.some(length))
        source.lines.append("=")
    source.lines[-1] = "$$"


def _terms(source: Source, lengths: list[int]) -> None:
    for length in lengths:
        source.lines.append(source.some(1))
        source.lines.append(": " + source.some(length))
        source.lines.append("")


def _html(source: Source, lengths: list[int]) -> None:
    source.lines.append("<details>")
    source.lines.append(f"<summary>{source.some(1)}</summary>")
    source.lines.append("")
    for length in lengths:
        source.lines.append(source.some(length))
    source.lines.append("")
    source.lines.append("</details>")


def _div(source: Source, lengths: list[int]) -> None:
    source.lines.append("::::: challenge")
    source.lines.append("")
    source.lines.append("## " + source.some(2))
    source.lines.append("")
    for length in lengths:
        source.lines.append(source.some(length))
    source.lines.append("")
    source.lines.append(":::::::")


def _figure(source: Source, lengths: list[int]) -> None:
    source.lines.append("```{figure} a.png")
    source.lines.append(":alt: " + source.some(lengths[0]))
    source.lines.append("")
    source.lines.append(source.some(lengths[-1]))
    source.lines.append("```")


BUILDERS = {
    "h": _heading,
    "p": _paragraph,
    "list": _list,
    "code": _code,
    "table": _table,
    "box": _box,
    "quote": _quote,
    "math": _math,
    "terms": _terms,
    "html": _html,
    "div": _div,
    "figure": _figure,
}


def cut(
    source: Source, max_tokens: int = 40, max_words: int = 30, overlap: float = 0.0, levels=(1, 2, 3)
) -> list[Chunk]:
    chosen = ChunkSettings(max_words=max_words, overlap=overlap, cut_levels=levels)
    return chunk_document(document(source.text), chosen, max_tokens, count_words)


def words_of(text: str) -> list[str]:
    return [word.lower() for word in WORD.findall(text.lower())]


LIMITS = {"max_tokens": st.integers(16, 80), "max_words": st.integers(16, 60)}


@FEW
@given(plan=plans(), **LIMITS)
def test_no_visible_text_is_lost_and_none_stands_twice(plan, max_tokens, max_words):
    source = build(plan)
    chunks = cut(source, max_tokens, max_words)
    counts = Counter(word for chunk in chunks for word in words_of(chunk.text))
    in_paths = {word for chunk in chunks for title in chunk.path for word in words_of(title)}
    for word in source.words:
        if word in source.headings:
            assert counts[word] or word in in_paths, word
        elif word in source.headers:
            assert counts[word] >= 1, word
        else:
            assert counts[word] == 1, word


@FEW
@given(plan=plans(), overlap=st.sampled_from([0.0, 0.2, 0.5]), **LIMITS)
def test_no_chunk_is_over_a_limit_or_empty(plan, overlap, max_tokens, max_words):
    source = build(plan)
    chunks = cut(source, max_tokens, max_words, overlap)
    for chunk in chunks:
        assert chunk.text.strip()
        assert chunk.words == len(chunk.text.split()) <= max_words
        assert chunk.tokens == count_words(chunk.embedded_text()) <= max_tokens
    counts = Counter(word for chunk in chunks for word in words_of(chunk.text))
    assert all(counts[word] for word in source.words if word not in source.headings)


@FEW
@given(plan=plans(), levels=st.sampled_from([(1, 2, 3), (2,), (1, 2, 3, 4, 5, 6)]), **LIMITS)
def test_words_keep_their_order_and_lie_in_the_lines_of_their_chunk(plan, levels, max_tokens, max_words):
    source = build(plan)
    order = {word: number for number, word in enumerate(source.words)}
    before = -1
    for chunk in cut(source, max_tokens, max_words, levels=levels):
        found = [word for word in words_of(chunk.text) if word not in source.headers]
        for word in found:
            assert chunk.start_line <= source.line_of[word] <= chunk.end_line, (word, chunk)
            assert order[word] > before, word
            before = order[word]


@FEW
@given(plan=plans(), chosen=st.integers(0, 6), **LIMITS)
def test_ids_and_texts_stay_when_another_section_changes(plan, chosen, max_tokens, max_words):
    source, changed = build(plan), build(plan, {chosen: "changed"})
    before, after = cut(source, max_tokens, max_words), cut(changed, max_tokens, max_words)
    # the sections that chunks with changed words belong to, deeper headings included
    touched = {chunk.anchor for chunk in after if "changed" in chunk.text}
    kept = [chunk for chunk in before if chunk.anchor not in touched]
    assert [(chunk.id, chunk.hash) for chunk in kept] == [
        (chunk.id, chunk.hash) for chunk in after if chunk.anchor not in touched
    ]


@FEW
@given(plan=plans(), **LIMITS)
def test_ids_are_unique_and_name_section_and_part(plan, max_tokens, max_words):
    chunks = cut(build(plan), max_tokens, max_words)
    assert len({chunk.id for chunk in chunks}) == len(chunks)
    for chunk in chunks:
        assert chunk.id == f"course/notes#{chunk.anchor}" + (f"~{chunk.part}" if chunk.part > 1 else "")
        assert chunk.url == f"lectures/course/notes.html#{chunk.anchor}"
        assert 1 <= chunk.part <= chunk.parts


@FEW
@given(plan=plans(), overlap=st.sampled_from([0.0, 0.4]), **LIMITS)
def test_lines_of_code_are_known_as_such(plan, overlap, max_tokens, max_words):
    source = build(plan)
    for chunk in cut(source, max_tokens, max_words, overlap):
        lines = chunk.text.split("\n")
        code = {number for first, last, kind in chunk.verbatim if kind == "code" for number in range(first, last + 1)}
        for number, line in enumerate(lines):
            for word in words_of(line):
                assert (word in source.code) == (number in code), (word, chunk)


@pytest.mark.parametrize("kind", ["notes", "slides"])
@FEW
@given(text=st.text(alphabet=st.sampled_from(list("ab #-`:>*_|$=~{}[]()<!1.%+\\\n\n\t")), max_size=200))
def test_no_text_breaks_the_parser(kind, text):
    chunks = chunk_document(document(text, kind), ChunkSettings(), 40, count_words)
    assert all(chunk.text.strip() for chunk in chunks)


@pytest.mark.parametrize("text", ["x" * 5000, "排" * 3000, "a,b;" * 900, "```\n" + "A" * 20_000 + "\n```"])
def test_a_text_without_white_space_is_cut_between_letters(text):
    def count(piece: str) -> int:
        return len(piece) // 4 + 2

    chunks = chunk_document(document(text), ChunkSettings(), 60, count)
    assert "".join(chunk.text for chunk in chunks) == text.strip("`\n")
    assert all(chunk.tokens <= 60 for chunk in chunks)


def test_a_word_of_a_picture_in_base64_is_not_one_word():
    chunks = chunk_document(document("A" * 200_000), ChunkSettings(), 256, count_words)
    assert len(chunks) > 4
    assert "".join(chunk.text for chunk in chunks) == "A" * 200_000
