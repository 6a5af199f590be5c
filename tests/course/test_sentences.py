from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from openbook.course.sentences import split_sentences


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("One. Two! Three?", ["One.", "Two!", "Three?"]),
        ("See e.g. Smith et al. 2019, Fig. 3. Then go on.", ["See e.g. Smith et al. 2019, Fig. 3.", "Then go on."]),
        ("J. Smith wrote it. It is 3.5 long.", ["J. Smith wrote it.", "It is 3.5 long."]),
        ('He said "stop." She went.', ['He said "stop."', "She went."]),
        ("(It works.) Good.", ["(It works.)", "Good."]),
        ("Version 1.0.21 is out. np.argmax is old.", ["Version 1.0.21 is out.", "np.argmax is old."]),
        ("What! Yes. And so on... maybe.", ["What!", "Yes.", "And so on... maybe."]),
        (
            'One "done!" in the middle is no end. Nor is ch. 6.',
            ['One "done!" in the middle is no end.', "Nor is ch. 6."],
        ),
        ("At most x. Sorted values. data/*.csv is read.", ["At most x.", "Sorted values.", "data/*.csv is read."]),
        ("归并排序很快。它稳定吗？是！", ["归并排序很快。", "它稳定吗？", "是！"]),
        ("他说：“好。”然后走了。", ["他说：“好。”", "然后走了。"]),
        ("no end", ["no end"]),
        ("", []),
    ],
)
def test_sentences(text, sentences):
    assert [sentence.strip() for sentence in split_sentences(text)] == sentences


@given(st.text(alphabet=st.sampled_from(list('aB1 .!?。\n")(')), max_size=60))
def test_joined_they_give_the_text(text):
    parts = split_sentences(text)
    assert "".join(parts) == text
    assert all(part.strip() for part in parts) or not text.strip()
