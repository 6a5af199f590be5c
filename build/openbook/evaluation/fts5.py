"""SQLite's full-text search as a rung of the ladder: the engine that everybody has already.

Its tokenizer is its own (``porter unicode61``: letters and digits, diacritics off, Porter's stemmer), its BM25 fixes
k1 = 1.2 and b = 0.75 (https://sqlite.org/fts5.html). A question's words are joined by OR, as a search box would.
"""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import Sequence

_WORD = re.compile(r"\w+")


def available() -> bool:
    """Whether the SQLite of this Python was compiled with FTS5."""
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        try:
            connection.execute("CREATE VIRTUAL TABLE found USING fts5(body)")
        except sqlite3.OperationalError:
            return False
    return True


class Fts5:
    """A full-text table in memory.

    Args:
        passages: their texts; a passage's number is its position.
    """

    def __init__(self, passages: Sequence[str]) -> None:
        self._connection = sqlite3.connect(":memory:")
        self._connection.execute("CREATE VIRTUAL TABLE passages USING fts5(body, tokenize='porter unicode61')")
        with self._connection:
            self._connection.executemany("INSERT INTO passages (rowid, body) VALUES (?, ?)", enumerate(passages))
            self._connection.execute("INSERT INTO passages (passages) VALUES ('optimize')")

    @property
    def bytes(self) -> int:
        """Size of the database, texts included."""
        return len(self._connection.serialize())

    def search(self, question: str, depth: int) -> list[int]:
        """The best passages, best first; of two alike the one of lower number."""
        words = _WORD.findall(question)
        if not words:
            return []
        # In quotes a word is a string, whatever it means in FTS5's language ("NOT", "NEAR").
        match = " OR ".join(f'"{word}"' for word in words)
        rows = self._connection.execute(
            "SELECT rowid FROM passages WHERE passages MATCH ? ORDER BY bm25(passages), rowid LIMIT ?", (match, depth)
        )
        return [row[0] for row in rows]

    def close(self) -> None:
        """Give the memory back."""
        self._connection.close()
