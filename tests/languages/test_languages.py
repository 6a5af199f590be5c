"""Courses in other languages: what is found in them, and what an English encoder is not asked."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from pathlib import Path

import pytest
from bench.languages import FOLDERS, QUESTIONS, corpora, rank_of, write_course

from openbook.asking import reference_asker
from openbook.build import build_site
from openbook.config import load_config
from openbook.evaluation.course import choose_threshold
from openbook.index.read import Index, load_index
from openbook.languages import is_foreign, primary, retrieval_for
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.retrieval.keyword import keyword
from openbook.retrieval.prompt import ANSWER_IN
from openbook.retrieval.trace import AnswerStage, GateStage, GateThreshold, PromptStage
from openbook.settings import GateSettings, PromptSettings, RetrievalSettings

ENGLISH = ("en",)


@dataclass(frozen=True)
class Site:
    out: Path
    index: Index


@pytest.fixture(scope="module", params=sorted(QUESTIONS))
def corpus(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Site]:
    language = request.param
    if not (corpora() / FOLDERS[language]).is_dir():
        pytest.skip("the shared corpora are not here (set OPENBOOK_SHARED_DATA to their folder)")
    folder = tmp_path_factory.mktemp(language)
    out = folder / "dist"
    build_site(load_config(write_course(folder, language, language)), out=out, as_of=date(2026, 12, 1))
    return language, Site(out, load_index(out / "index"))


def test_keyword_search_finds_the_section_that_answers(corpus: tuple[str, Site]) -> None:
    language, site = corpus
    index = site.index
    ranks = []
    for asked in QUESTIONS[language]:
        _, hits = keyword(index.keyword, asked.question, index.settings.keyword, index.chunk)
        ranks.append(rank_of(asked, [hit.ordinal for hit in hits], index))
    missed = [
        asked.question for asked, rank in zip(QUESTIONS[language], ranks, strict=True) if rank is None or rank > 10
    ]
    assert not missed
    assert sum(rank is not None and rank <= 5 for rank in ranks) >= 10


def test_a_question_is_answered_and_no_cosine_refuses_it(corpus: tuple[str, Site]) -> None:
    language, site = corpus
    ask = reference_asker(site.index, Encoder(site.index.model_files()))
    quoted = 0
    for asked in QUESTIONS[language]:
        stages = {type(stage): stage for stage in ask(asked.question).stages}
        gate, prompt, answer = stages[GateStage], stages[PromptStage], stages[AnswerStage]
        assert isinstance(gate, GateStage)
        assert gate.open is True
        assert gate.parameters is not None
        assert gate.parameters.source == "language"
        assert isinstance(prompt, PromptStage)
        assert prompt.parts[0].text.endswith(ANSWER_IN[language])
        assert isinstance(answer, AnswerStage)
        quoted += bool(answer.sentences)
    assert quoted >= 6


def test_an_encoder_that_reads_chinese_as_noise_takes_no_part_in_the_ranking(corpus: tuple[str, Site]) -> None:
    language, site = corpus
    takes_part = site.index.settings.fusion.dense_weight > 0
    assert takes_part == (language == "es")
    assert (site.index.token_vectors is not None) == takes_part
    assert site.index.manifest.model.languages == ENGLISH


@pytest.mark.parametrize(("tag", "language"), [("zh-Hans-CN", "zh"), ("pt_BR", "pt"), ("EN", "en"), ("de", "de")])
def test_a_tag_s_language_is_what_counts(tag: str, language: str) -> None:
    assert primary(tag) == language


def test_a_model_that_does_not_say_what_it_knows_counts_as_knowing_all() -> None:
    assert not is_foreign("zh", ())
    assert not is_foreign("en-GB", ENGLISH)
    assert is_foreign("de", ENGLISH)
    assert not is_foreign("de", ("en", "de"))


def test_an_english_course_is_searched_as_it_is_set() -> None:
    settings = RetrievalSettings()
    assert retrieval_for(settings, "en-GB", ENGLISH) == settings
    assert retrieval_for(settings, "zh", ("en", "zh")).fusion == settings.fusion


def test_the_language_of_answers_can_be_set() -> None:
    settings = RetrievalSettings(prompt=PromptSettings(language="en"))
    assert retrieval_for(settings, "fr", ENGLISH).prompt.language == "en"
    assert retrieval_for(RetrievalSettings(), "fr", ENGLISH).prompt.language == "fr"
    assert retrieval_for(RetrievalSettings(), "it", ENGLISH).prompt.language == ""


def test_a_threshold_that_the_course_sets_counts_whatever_its_language() -> None:
    provisional = GateThreshold(cosine=2.0, source="default", corpus="", model="", tokenizer="", answerability=2.0)
    chosen = choose_threshold(GateSettings(cosine=0.3), provisional, (), foreign=True).threshold
    assert (chosen.cosine, chosen.source) == (0.3, "configured")
    assert (chosen.answerability, chosen.answerability_source) == (-1.0, "language")
    assert choose_threshold(GateSettings(), provisional, ()).threshold.source == "default"


def test_a_cache_of_vectors_is_shared_between_languages(tmp_path: Path) -> None:
    """The language changes how a site searches, and not what its chunks are."""
    lecture = "# Tea\n\nGreen tea steeps for two minutes.\n"
    cache = EmbeddingCache(tmp_path / "cache")
    embedded = []
    for language in ("en", "es"):
        course = tmp_path / language
        (course / "lectures").mkdir(parents=True)
        (course / "lectures/l01.md").write_text(lecture)
        settings = f'[course]\ntitle = "T"\nlanguage = "{language}"\n[sources]\nroot = "lectures"\n'
        (course / "openbook.toml").write_text(settings)
        report = build_site(load_config(course), out=tmp_path / f"{language}-out", as_of=date(2026, 12, 1), cache=cache)
        embedded.append(report.embedded)
    assert embedded[0] > 0
    assert embedded[1] == 0
