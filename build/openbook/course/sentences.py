"""Where sentences end: enough for cutting and quoting notes, without a model.

A sentence ends at ``.``, ``!`` or ``?`` (and quotes or brackets that close behind it) before white space and something
that can begin a sentence, unless the full stop belongs to a common abbreviation, an initial or a list number; in
Chinese and Japanese, at ``。``, ``！`` or ``？`` alone.
"""

from __future__ import annotations

import re

_END = re.compile(
    r"""(?P<west>[.!?…]+["'”’»)\]]*(?=\s))|(?P<east>[。！？｡]+["'”’」』）)\]]*)""",
    re.VERBOSE,
)
_ABBREVIATIONS = """
    al approx ca cf chap dr eq eqs etc fig figs i.e e.g jr mr mrs ms no nos p pp prof resp sec sr st tab vs viz vol
    bzw usw z.b d.h u.a
"""
_WORDS = "|".join(re.escape(word) for word in _ABBREVIATIONS.split())
_ABBREVIATION = re.compile(rf"(?:^|[\s(\[“\"'])(?:{_WORDS}|[A-Za-z])\.$|(?:^|\n)\s*\d{{1,2}}\.$", re.IGNORECASE)
# a sentence may begin with a name from a program: np.argmax, zero_grad, print(
_LOWER_START = re.compile(r"\s*(?!\w+(?:_\w|\.\w\w|\())[a-zà-öø-ÿ,;:)\]]")


def split_sentences(text: str) -> list[str]:
    """Split a paragraph into sentences.

    Returns:
        The sentences in order, each with the white space behind it, so that ``"".join`` gives the text back.
    """
    sentences: list[str] = []
    start = 0
    for match in _END.finditer(text):
        end = match.end()
        if match["west"] is not None:
            if match["west"] == "." and _ABBREVIATION.search(text, max(0, end - 12), end):
                continue
            if not match["west"].startswith(("!", "?")) and _LOWER_START.match(text, end):
                continue
        while end < len(text) and text[end].isspace():
            end += 1
        if text[start:end].strip():
            sentences.append(text[start:end])
            start = end
    if start < len(text):
        if text[start:].strip() or not sentences:
            sentences.append(text[start:])
        else:
            sentences[-1] += text[start:]
    return sentences
