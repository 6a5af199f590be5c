"""``openbook eval --validate``: whether the labels of a course still lead to something."""

from __future__ import annotations

from datetime import date

from openbook.config import Config
from openbook.course.catalogue import load_catalogue
from openbook.evaluation.answers import ANSWERS, load_answers
from openbook.evaluation.course import load_course_gold
from openbook.evaluation.gold import Question, load_gold
from openbook.models.encoder import Encoder
from openbook.models.registry import resolve
from openbook.prepare import cut, read_lectures


def validate_gold(config: Config, as_of: date | None = None) -> list[Question]:
    """Check the gold set of a course: its schema, and that every label leads to a section. Beside it may lie sentences
    with citations and sentences that answer (``citations.toml``, ``answers.toml``), which are checked too.

    Raises:
        GoldError: it is not valid.
    """
    catalogue = load_catalogue(config, as_of or config.today())
    encoder = Encoder(resolve(config.settings.models.encoder, root=config.root))
    _, documents = read_lectures(config, catalogue, lambda done, total: None, [])
    chunks = cut(config, documents, encoder, lambda done, total: None)
    load_course_gold(config, catalogue, chunks)
    questions = list(load_gold(config.gold_path))
    answers = config.gold_path.with_name(ANSWERS)
    if answers.is_file():
        load_answers(answers, {question.id for question in questions}, [chunk.text for chunk in chunks])
    return questions
