"""Which characters a word is made of, as one fixed table.

A Python and a browser may know different versions of Unicode, and would then cut some texts differently. So both
use this table, and nothing that asks the platform for a character's category: the letters, the numbers and the
marks (not the enclosing ones) of Unicode 14.0, the oldest version among the Pythons that openbook runs on. What is
not in it separates words. Normalisation and lower-casing do come from the platform; for characters that Unicode 14
has, the consortium's stability policy fixes both.

``web/src/retrieval/characters.ts`` holds the same table; a test compares the two, and the table with
``unicodedata`` where that is of version 14.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

Range = tuple[int, int]

UNICODE_VERSION: Final = "14.0.0"

# Ranges in order, in base 36: the distance of a range's first character from the last of the one before, and, where
# it has more than one, ":" and how many follow the first.
WORD_RANGES: Final = (
    "1c:9 8:p 7:p 1c 8:1 2 4:1 2:2 2:m 2:u 2:cp 5:b f:4 8 2 i:38 2:1 3:3 2 7 2:2 2 2:j 2:2a 2:3u 2:4 3:4l 2:11 3 "
    "7:14 9:18 2 2:1 2:1 2 9:q 5:3 u:a 6:21 5:2t 2:7 3:9 2:i 3 h:1m 3:2s f:1h 5 3 3:19 j:r 5:a 6:n 2:5 a:21 2:3k "
    "3:9 2:i 2:7 3:1 3:l 2:6 2 4:3 3:8 3:1 3:3 9 5:1 2:4 3:b 3:5 3 2 3:2 2:5 5:1 3:l 2:6 2:1 2:1 2:1 3 2:4 5:1 "
    "3:2 4 8:3 2 8:f c:2 2:8 2:2 2:l 2:6 2:1 2:4 3:9 2:2 2:2 3 g:3 3:9 a:6 2:2 2:7 3:1 3:l 2:6 2:1 2:4 3:8 3:1 "
    "3:2 8:2 5:1 2:4 3:9 2:6 b:1 2:5 4:2 2:3 4:1 2 2:1 4:1 4:2 4:b 5:4 4:2 2:3 3 7 f:c e:c 2:2 2:m 2:f 3:8 2:2 "
    "2:3 8:1 2:2 3 3:3 3:9 9:6 2:3 2:7 2:2 2:m 2:9 2:4 3:8 2:2 2:3 8:1 7:1 2:3 3:9 2:1 e:c 2:2 2:1e 2:2 2:4 6:f "
    "3:i 2:5 2:2 2:h 4:n 2:8 2 3:6 4 5:5 2 2:7 7:9 3:1 e:1l 6:e 2:9 14:1 2 2:4 2:n 2 2:m 3:4 2 2:5 3:9 3:3 x o:1 "
    "7:j 2 2 2 5:9 2:z 5:j 2:h 2:z a 1m:21 7:25 3:11 2 6 3:16 2:98 2:3 3:6 2 2:3 3:14 2:3 3:w 2:3 3:6 2 2:3 3:e "
    "2:1k 2:3 3:1u 3:2 a:j 4:f h:2d 3:5 4:h7 3:g 2:p 6:22 4:a 8:l a:l c:j d:c 2:2 2:1 d:2b 4 5:1 3:9 7:9 i:2 2:a "
    "7:2g 8:16 6:1x b:u 2:b 5:b b:13 3:4 c:17 5:p 7:a 12:r 5:1q 2:s 3:a 7:9 e 9:d 2:f 1e:24 4:9 i:8 d:37 d:1j 9:9 "
    "4:1c 3:8 8:16 3:2 h:2 2:12 6:et 3:5 3:11 3:5 3:7 2 2 2 2:u 3:1g 2:6 2 4:2 2:6 4:3 3:5 5:c 6:2 2:6 38:1 3:5 "
    "6:a 7:c 1g:c 5 4:b i 5 3:9 2 4:4 7 2 2 2:3 2:a 3:3 6:4 5 2:1l k7:1n 27:l hj:t vh:6c 7:8 a 3:11 2 6 3:1j 8 "
    "g:n a:6 2:6 2:6 2:6 2:6 2:6 2:6 2:6 2:v 1c d2:2 q:e 2:4 3:4 5:2d 3:1 3:2 2:2h 2:3 6:16 2:2l 4:3 b:v 1d:f x:9 "
    "v:7 2:e x:9 14:e 8x:533 1t:h3g 1w:19 3:7g 4:r l:1b 5:9 2:36 12:8 3:2u 3:1r 6:1 2 2:4 p:1h 5 4:5 b:1f d:1x "
    "b:9 7:n 4 2:1c 3:z d:s 4:1s f:a 7:u 2:1i a:d 3:9 7:m 4:20 p:2 3:f 3:4 b:5 3:5 3:5 a:6 2:6 2:16 2:d 7:3e 2:1 "
    "3:9 7:8mb d:m 5:1c 6it:a5 3:2x 13:6 d:4 6:b 2:c 2:4 2 2:1 2:1 2:2z y:a2 j:1r 3:1h 15:b 5:f h:f 1t:4 2:3q k:9 "
    "8:p 7:p c:2g 4:5 3:5 3:5 3:2 10:b 2:p 2:i 2:1 2:e 3:d z:3e d:18 d:1k i:1 36 3n:s 4:1c g:r 5:z a:t 6:16 6:t "
    "3:z 5:7 2:4 17:4d 3:9 7:z 5:z 5:13 9:1f d:a 2:e 2:6 2:1 2:a 2:e 2:6 2:1 1w:8m a:l b:7 p:5 2:15 2:8 1y:5 3 "
    "2:17 2:1 4 3:m 3:u 3:11 9:8 1d:i 2:1 6:w 5:p 1z:1j 5:j 3:1d 2:1 6:7 2:2 2:s 3:2 5:9 o:u 2:v x:7 2:t 5:4 h:1h "
    "b:l 3:q 6:p o:6 29:20 1k:1e e:1e 8:19 9:9 87:u 2:15 2:1 4:1 27:13 9:10 s:l 17:r l:m a:1y c:z a:1n 8 e:o 8:9 "
    "7:1g 2:9 5:3 9:z 3 a:1w 5:3 2:c 2 5:j c:h 2:10 7 1u:6 2 2:3 2:e 2:9 8:1m 6:9 7:3 2:7 3:1 3:l 2:6 2:1 2:4 2:9 "
    "3:1 3:2 3 7 6:6 3:6 4:4 3w:22 6:9 5:3 v:1x 2 9:9 4n:1h 3:8 o:5 z:1s 4 c:9 13:1k 8:9 1j:q 3:e 5:b 5:6 56:1m "
    "2u:2a d:7 3 3:7 2:1 2:t 2:1 3:8 d:9 1z:7 3:19 3:7 2:1 s:1q 9 9:21 4 j:20 7c:8 2:18 2:8 g:s 6:t 3:l 2:d 22:6 "
    "2:1 2:17 4 2:1 2:8 9:9 7:5 2:1 2:10 2:1 2:5 8:9 8n:m 56 g:k 18:pl 2v:32 i:5f 219:2o g:tq 34i:g6 6nu:fs 8:u "
    "2:9 7:26 2:9 7:t 3:4 c:1i a:3 d:9 2:6 2:k 6:i j5:2e 2y:22 5:1k 8:g 1t:1 2:1 c:1 f:4qf 9:yd 17:8 6w8:3 2:6 "
    "2:1 2:82 1a:2 i:3 9:az 1s5:2y 6:c 4:8 8:9 4:1 3mq:19 3:m f3:4 4:5 9:7 3:6 v:3 45:2 4c:j 31:o 3s:2c 2:1y 2:1 "
    "3 3:1 3:3 2:b 2 2:6 2:1s 2:3 3:7 2:6 2:r 2:3 2:4 2 4:6 2:9f 3:o 2:o 2:u 2:o 2:u 2:o 2:u 2:o 2:u 2:o 2:7 3:1d "
    "e9:1i 5:1d 9 f n:4 2:e up:u 6a:6 2:g 3:6 2:1 2:4 5y:18 4:d 3:9 5 8y:u i:1l yv:6 2:3 2:1 2:e 2:5g 3:f 16:23 "
    "5:9 m0:1m 2:2 2:3 25:18 2:e 5f:3 2:q 2:1 2 3 2:9 2:3 2 2 7 5 2 2 2:2 2:1 2 3 2 2 2 2 2:1 2 3:3 2:6 2:3 2:3 2 "
    "2:9 2:g 6:2 2:4 2:g g5:c 25g:9 sn:wyn x:37c 8:65 3:4g1 f:5rk 2e8:f1 15v:3t6 fcmu:6n"
)


def word_ranges() -> list[Range]:
    """First and last code point of each range, in order."""
    ranges = []
    last = 0
    for entry in WORD_RANGES.split():
        distance, _, more = entry.partition(":")
        first = last + int(distance, 36)
        last = first + (int(more, 36) if more else 0)
        ranges.append((first, last))
    return ranges


def character_class(ranges: Sequence[Range]) -> str:
    """The inside of a regular expression's character class, without its brackets."""
    return "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges)


def without(ranges: Sequence[Range], removed: Sequence[Range]) -> list[Range]:
    """What is in ``ranges`` and not in ``removed``, both in order."""
    left = []
    for first, last in ranges:
        start = first
        for cut_first, cut_last in removed:
            if cut_last < start or cut_first > last:
                continue
            if cut_first > start:
                left.append((start, cut_first - 1))
            start = cut_last + 1
        if start <= last:
            left.append((start, last))
    return left


def common(ranges: Sequence[Range], others: Sequence[Range]) -> list[Range]:
    """What is in both, each in order."""
    return without(ranges, without(ranges, others))
