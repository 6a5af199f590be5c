"""The words by which a follow-up question is known, language by language: ``follow_up_words.json``, which the client
reads as well.

English was measured (``python -m bench conversation``); the others follow its rules with their own words, and are held
to some pairs each in the tests. A language that is not there knows none: its questions are asked as they were typed.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import msgspec

from openbook.index.tokens import tokenize

# ASCII, so that a word's end is in JavaScript where it is here.
_FLAGS: Final = re.ASCII | re.IGNORECASE


class _Listed(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What the file has of a language; regular expressions, and words with spaces between.

    Attributes:
        fillers, openers: what a question may begin with; of these the openers make it a follow-up.
        several: one thing of several that it does not name.
        last: a demonstrative at its end.
        expletive: an "it" that stands for nothing.
        pronouns: what stands for something that was named before.
        function: words that say nothing of what a question is about.
        asks: what asks the same of something else; only of a language without spaces.
    """

    fillers: str
    openers: str
    several: tuple[str, ...]
    last: str
    expletive: str
    pronouns: tuple[str, ...]
    function: tuple[str, ...]
    asks: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """The same, ready to be used: ``pieces`` takes a text without spaces apart, None where there are spaces."""

    openings: re.Pattern[str]
    conjunction: re.Pattern[str]
    several: re.Pattern[str]
    last: re.Pattern[str]
    expletive: re.Pattern[str]
    pronouns: frozenset[str]
    function: frozenset[str]
    pieces: re.Pattern[str] | None


def _words(listed: _Listed) -> Words:
    unspaced = listed.asks != ""
    fillers, openers = listed.fillers, listed.openers
    end, start, gap = ("", "", "[ ,，、]*") if unspaced else (r"\b", r"\b", "[ ,]+")
    begins = rf"^(?:(?:{fillers}){gap})*(?:{openers}){end}"
    pronouns = " ".join(listed.pronouns).split()
    function = [*pronouns, *" ".join(listed.function).split()]
    longest = sorted(function, key=lambda word: (-len(word), word))
    return Words(
        openings=re.compile(rf"^(?:(?:{openers}|{fillers}){end}[ ,，、]*)+", _FLAGS),
        conjunction=re.compile(f"{begins}|{listed.asks}" if unspaced else begins, _FLAGS),
        several=re.compile("|".join(listed.several), _FLAGS),
        last=re.compile(rf"{start}(?:{listed.last})[ ?.!？！。]*$", _FLAGS),
        expletive=re.compile(listed.expletive, _FLAGS),
        pronouns=frozenset(pronouns) if unspaced else _tokens(pronouns),
        function=frozenset(function) if unspaced else _tokens(function),
        pieces=re.compile("|".join([*longest, "[A-Za-z0-9_.+#-]+", "."])) if unspaced else None,
    )


def _tokens(words: list[str]) -> frozenset[str]:
    return frozenset(token for word in words for token in tokenize(word))


_FILE = Path(__file__).with_suffix(".json").read_bytes()

WORDS: Final = {tag: _words(listed) for tag, listed in msgspec.json.decode(_FILE, type=dict[str, _Listed]).items()}
"""By primary subtag."""
