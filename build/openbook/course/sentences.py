"""Sentences as parts of a text, for cutting it; where they end is ``openbook.retrieval.sentences``' to say, so that no
sentence which may be quoted was cut by another rule.
"""

from __future__ import annotations

from openbook.retrieval.sentences import sentences_in


def split_sentences(text: str) -> list[str]:
    """Split a paragraph into sentences.

    Returns:
        The sentences in order, each with the white space behind it, so that ``"".join`` gives the text back.
    """
    starts = [span.start for span in sentences_in(text, 0, len(text))][1:]
    return [text[start:end] for start, end in zip([0, *starts], [*starts, len(text)], strict=True) if end > start]
