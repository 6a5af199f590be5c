"""The one tokenizer: text → keyword tokens, the same in the build and in the tab (``web/src/retrieval/tokens.ts``).

What it does is written down in ``tests/parity/tokens.json``, a table of cases that both sides are tested against.
In short: a token is lower-case, NFKC, without Latin, Greek and Cyrillic diacritics. A compound gives itself and then
its parts: ``np.argmax`` → np.argmax, np, argmax; ``zero_grad`` → zero_grad, zero, grad; ``GroupKFold`` → groupkfold,
group, k, fold, kfold; ``k-fold`` → kfold, k, fold. ``C++``, ``C#``, ``.NET``, ``1e-5`` and ``1.0.21`` stay whole.
Chinese, Japanese and Korean, and the scripts of South-East Asia that write no spaces, give overlapping pairs of
characters. No word is left out.

Plain words lose the ending of a plural and "-ing" (``batches`` → batch, ``queries`` → query, ``training`` → train).
That is a choice with a measurement behind it (``bench/keyword_ranking.py``): on the dev halves of three sets of
questions the MRR@10 of keyword search rose from 0.864 to 0.875 (SQuAD 2; 95 % interval of the gain 0.4 to 1.9
points), 0.951 to 0.961 (XQuAD; 0.2 to 1.8) and 0.788 to 0.794 (Cranfield; not significant), and after fusion with
dense search by about half a point, which is not significant on any one set. Taking "-ed" or a last e off as well
gained nothing more. Compounds, names with a sign or a digit and words of other scripts are left as they are.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

from openbook.index.characters import character_class, common, without, word_ranges

TOKENIZER_NAME: Final = "openbook-1"

TOKENIZER_FINGERPRINT: Final = "9f32d3314116f5e00b9b316c49a418c06fe4e38efb8b0adf4be7a28b020cb138"
"""SHA-256 over the name and the tokens of every case in the table, as both test suites work it out. An index is of
use only to a page with the same one."""

MAX_LENGTH: Final = 64
"""Code points of a token; the rest is cut off. No word is as long, but base64 and hashes are."""

_MAX_SEGMENTS = 16
_MAX_PARTS = 6
_MAX_SUBPATHS = 4

# Scripts that are written without spaces (Han, kana, Bopomofo; Thai, Lao, Khmer, Myanmar) or whose words carry
# particles (Hangul).
_UNSPACED_RANGES = (
    (0x0E00, 0x0EFF), (0x1000, 0x109F), (0x1100, 0x11FF), (0x1780, 0x17FF), (0x2E80, 0x2FDF), (0x3005, 0x3007),
    (0x3021, 0x302F), (0x3031, 0x3035), (0x3038, 0x303C), (0x3041, 0x309A), (0x309D, 0x309F), (0x30A1, 0x30FA),
    (0x30FC, 0x30FF), (0x3105, 0x318E), (0x31A0, 0x31BF), (0x31F0, 0x31FF), (0x3400, 0x4DBF), (0x4E00, 0x9FFF),
    (0xA960, 0xA97F), (0xAC00, 0xD7FB), (0xF900, 0xFAD9), (0x16FE0, 0x18D08), (0x1AFF0, 0x1B2FB), (0x20000, 0x3134A),
)  # fmt: skip
_UNSPACED = character_class(common(word_ranges(), _UNSPACED_RANGES))
_SPACED = character_class(without(word_ranges(), _UNSPACED_RANGES))
_WORD = character_class(word_ranges())

_INVISIBLE = re.compile(
    "[\u00ad\u061c\u180b-\u180f\u200c-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\ufeff]"
)
_APOSTROPHES = re.compile("[\u02bc\u2019\uff07]")
# Symbols that NFKC would glue to their neighbour: 6½ → 61⁄2, ①a → 1a.
_APART = re.compile("[\u00bc-\u00be\u2150-\u215f\u2189\u2460-\u24ff\u3200-\u33ff\U0001f100-\U0001f1ff]")
# What may take part in a word before NFKC: the table, ASCII, and the punctuation and symbols that NFKC turns into
# either. All of them are older than Unicode 14, which makes NFKC itself the same everywhere.
_KEPT_SYMBOLS = (
    "\u2010\u2011\u2100-\u214f\u2150-\u215f\u2189\u2460-\u24ff\u2e9f\u2ef3\u2f00-\u2fd5"
    "\u3200-\u33ff\ufe50-\ufe6b\uff01-\uff65"
)
_TRADEMARKS = re.compile("[\u2120\u2122]")
_UNKNOWN = re.compile(f"[^\\x00-\\x7f{_WORD}{_KEPT_SYMBOLS}]")
_DIACRITICS = re.compile("[\u0300-\u036f]+")
_HYPHENS = re.compile("\u2010")

# Letters whose stroke or ligature is no combining mark, as they are typed without the keyboard for them.
_LETTERS = {
    "ß": "ss", "æ": "ae", "œ": "oe", "ø": "o", "đ": "d", "ð": "d", "ħ": "h", "ı": "i", "ł": "l", "þ": "th", "ς": "σ",
}  # fmt: skip
_FOLDED = re.compile("[" + "".join(_LETTERS) + "]")

# A run without spaces; a number with an exponent; C# and its like; a compound of words, each perhaps with ++.
_SEGMENT = rf"[{_SPACED}_]+(?:(?<=[A-Za-z])\+\+(?:[0-9]+|(?!\+)))?"
_SCAN = re.compile(
    rf"(?P<run>[{_UNSPACED}]+)"
    rf"|(?P<exponent>[0-9]+(?:\.[0-9]+)?[eE][+-][0-9]+(?![{_WORD}_]))"
    rf"|(?P<sharp>[A-Za-z]#(?![{_WORD}_#]))"
    rf"|(?P<grouped>[0-9]{{1,3}}(?:,[0-9]{{3}})+(?:\.[0-9]+)?(?![{_WORD}_,]))"
    rf"|(?P<compound>{_SEGMENT}(?:[.'-]{_SEGMENT})*)"
)
_PLAIN = re.compile(r"[a-z]+|[0-9]+(?:\.[0-9]+)*")
_OPENS = frozenset(" \t\n\r\f\v([{\"'`,;:=<>/|")

_DOTS = re.compile(r"(?<![0-9])\.|\.(?![0-9])")
_PLUSES = re.compile(r"(.+?)\+\+([0-9]*)")
_EXPONENT = re.compile(r"[0-9]+(?:\.[0-9]+)?[eE][0-9]+")
_PIECES = re.compile(r"[0-9]+(?:\.[0-9]+)*|[^0-9.]+")
_CAMEL = re.compile(r"[A-Z]{2,}s(?![a-z])|[A-Z]+(?![a-z])|[A-Z]?[^A-Z]+")
_DIGITS = re.compile(r"[0-9]+")
_DIGIT = re.compile(r"[0-9]")
_INFLECTED = re.compile(r"[a-z]{4,}")
_SINGULAR = ("ss", "us", "is", "ias")
_VOWEL = re.compile(r"[aeiouy]")
_NEVER_DOUBLED = frozenset("aeioulsz")
# Words of courses that the rules would get wrong: plurals, and what ends in "-ing" or "-s" without being an inflection.
_IRREGULAR = {
    "aliases": "alias", "analyses": "analysis", "biases": "bias", "caches": "cache", "cookies": "cookie",
    "cpus": "cpu", "gpus": "gpu", "hypotheses": "hypothesis", "indices": "index", "matrices": "matrix",
    "meanings": "meaning", "movies": "movie", "quizzes": "quiz", "settings": "setting", "statuses": "status",
    "tpus": "tpu", "vertices": "vertex",
    **{word: word for word in ("always", "anything", "does", "during", "everything", "meaning", "nothing", "perhaps",
                               "series", "setting", "something", "species", "turing")},
}  # fmt: skip


def tokenize(text: str) -> list[str]:
    """The tokens of a text, in order, repeated as often as they stand there.

    Args:
        text: of a chunk, a heading path or a question; plain text, any length, any script.

    Returns:
        Tokens of 1 to ``MAX_LENGTH`` code points; [] when the text has no word.
    """
    if not text.isascii():
        text = _normalize(text)
    tokens: list[str] = []
    for match in _SCAN.finditer(text):
        word = match[0]
        if match.lastgroup == "compound":
            if _PLAIN.fullmatch(word) and not _dotted(text, match.start()):
                tokens.append(_token(word))
            else:
                tokens.extend(_compound(word, _dotted(text, match.start())))
        elif match.lastgroup == "run":
            tokens.extend(_pairs(word))
        elif match.lastgroup == "grouped":
            tokens.append(word.replace(",", ""))
            tokens.extend(word.split(","))
        else:
            tokens.append(word.lower())
    return tokens


def _normalize(text: str) -> str:
    """NFKC without diacritics and without anything that Unicode 14 did not have; case is kept."""
    text = _INVISIBLE.sub("", text)
    text = _APOSTROPHES.sub("'", text)
    text = _TRADEMARKS.sub(" ", text)
    text = _APART.sub(r" \g<0> ", text)
    text = unicodedata.normalize("NFKC", _UNKNOWN.sub(" ", text))
    text = unicodedata.normalize("NFC", _DIACRITICS.sub("", unicodedata.normalize("NFD", text)))
    return _HYPHENS.sub("-", text)


def _dotted(text: str, start: int) -> bool:
    """Whether a lone dot leads the word at ``start``: ``.NET``, ``.gitignore``, ``p < .05``."""
    return start > 0 and text[start - 1] == "." and (start == 1 or text[start - 2] in _OPENS)


def _pairs(run: str) -> list[str]:
    if len(run) == 1:
        return [run]
    return [run[i : i + 2] for i in range(len(run) - 1)]


@lru_cache(maxsize=1 << 16)
def _compound(word: str, dotted: bool) -> tuple[str, ...]:
    """The tokens of one compound: itself, then its parts from left to right, each once."""
    out: dict[str, None] = {}
    if dotted and _DIGITS.fullmatch(word):
        return (_token(f"0.{word}"),)
    if dotted and word[0].isascii() and word[0].isalpha():
        _emit(out, f".{word}")
    if len(word) > MAX_LENGTH and not any(c in word for c in "._-'"):
        _emit(out, word)
    else:
        _split_dots(out, word)
    return tuple(out)


def _split_dots(out: dict[str, None], word: str) -> None:
    """``numpy.linalg.lstsq``: whole, the paths inside it, each name. A dot between digits does not split."""
    names = _DOTS.split(word)
    if len(names) > 1:
        _emit(out, word)
        if len(names) <= _MAX_SUBPATHS:
            for length in range(len(names) - 1, 1, -1):
                for first in range(len(names) - length + 1):
                    _emit(out, ".".join(names[first : first + length]))
    for name in names[:_MAX_SEGMENTS]:
        _split_hyphens(out, name)


def _split_hyphens(out: dict[str, None], word: str) -> None:
    """``k-fold``: written together, then each part. With a digit in it (``AR-7``, a date) also as it stands."""
    parts = word.split("-")
    if len(parts) > 1:
        if _DIGIT.search(word):
            _emit(out, word)
        if len(parts) <= 3 and not all(_DIGITS.fullmatch(part) for part in parts):
            _emit(out, "".join(parts))
    for part in parts[:_MAX_SEGMENTS]:
        _split_apostrophes(out, part)


def _split_apostrophes(out: dict[str, None], word: str) -> None:
    """``model's`` → model; ``don't`` → dont; ``l'eau`` → leau, eau."""
    first, *rest = word.split("'")
    if not rest:
        _split_underscores(out, word)
    elif rest in (["s"], ["S"]):
        _split_underscores(out, first)
    else:
        tail = "".join(rest)
        _emit(out, first + tail)
        if len(first) <= 2 and len(tail) >= 3:
            _split_underscores(out, tail)


def _split_underscores(out: dict[str, None], word: str) -> None:
    """``zero_grad``: whole, each part. ``__init__`` and ``coef_`` keep theirs in the whole."""
    parts = [part for part in word.split("_") if part]
    if not parts:
        return
    if len(parts) > 1 and all(_DIGITS.fullmatch(part) for part in parts):
        _emit(out, "".join(parts))
        return
    if len(parts) > 1 or parts[0] != word:
        _emit(out, word)
    for part in parts[:_MAX_SEGMENTS]:
        _split_word(out, part)


def _split_word(out: dict[str, None], word: str) -> None:
    """``C++17``, ``conv2d``, ``python3.11``, ``GroupKFold``: whole, then letters and numbers apart."""
    pluses = _PLUSES.fullmatch(word)
    if pluses:
        base, digits = pluses[1], pluses[2]
        _emit(out, word)
        if digits:
            _emit(out, f"{base}++")
        _split_word(out, base)
        if digits:
            _emit(out, digits)
        return
    _emit(out, word)
    if len(word) > MAX_LENGTH or _EXPONENT.fullmatch(word):
        return
    pieces = _PIECES.findall(word)
    if len(pieces) > _MAX_PARTS:
        return
    for piece in pieces:
        _emit(out, piece)
        _split_camel(out, piece)


def _split_camel(out: dict[str, None], word: str) -> None:
    """``GroupKFold`` → group, k, fold, kfold: a single letter also stands with its neighbour. ``GPUs`` → gpu."""
    parts = _CAMEL.findall(word)
    if not 1 <= len(parts) <= _MAX_PARTS:
        return
    plural = len(parts[-1]) > 2 and parts[-1].endswith("s") and parts[-1][-2].isascii() and parts[-1][-2].isupper()
    if plural:
        parts[-1] = parts[-1][:-1]
    if len(parts) == 1 and not plural:
        return
    for part in parts:
        _emit(out, part)
    for i, part in enumerate(parts):
        if len(part) == 1 and len(parts) > 1:
            _emit(out, part + parts[i + 1] if i + 1 < len(parts) else parts[i - 1] + part)


def _emit(out: dict[str, None], word: str) -> None:
    out.setdefault(_token(word))


@lru_cache(maxsize=1 << 16)
def _token(word: str) -> str:
    token = word.lower()
    if not token.isascii():
        token = _FOLDED.sub(lambda match: _LETTERS[match[0]], token)
    token = token[:MAX_LENGTH]
    return _stem(token) if _INFLECTED.fullmatch(token) else token


def _stem(word: str) -> str:
    """The word without the ending of a plural and "-ing"; ``bias``, ``loss`` and ``string`` stay."""
    known = _IRREGULAR.get(word)
    if known is not None:
        return known
    if word.endswith("ies"):
        word = f"{word[:-3]}y"
    elif word.endswith("s") and not word.endswith(_SINGULAR):
        word = word[:-2] if word.endswith(("sses", "xes", "ches", "shes")) else word[:-1]
    if word.endswith("ing") and len(word) >= 6 and _VOWEL.search(word[:-3]):
        word = word[:-3]
        if word[-1] == word[-2] and word[-1] not in _NEVER_DOUBLED:
            return word[:-1]
    return word
