"""``openbook.toml`` as typed settings: every key has a default, every mistake a message.

The structs below are the whole of what the file may say; their docstrings are the reference for it.
A key that is not here is refused (most are typing errors), and a wrong value is refused with its place.
"""

from __future__ import annotations

import re
import tomllib
from datetime import date, datetime
from pathlib import Path
from typing import Annotated, Literal
from zoneinfo import ZoneInfo, available_timezones

import msgspec

from openbook.errors import ConfigError

CONFIG_NAME = "openbook.toml"

Positive = Annotated[int, msgspec.Meta(ge=1)]
NonNegativeFloat = Annotated[float, msgspec.Meta(ge=0)]


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file: unknown keys are an error."""


class CourseSettings(_Table, frozen=True, kw_only=True):
    """``[course]``: what the course is.

    Attributes:
        title: shown at the top of every page. Default: the name of the folder.
        language: BCP 47 tag of the notes' language, as in ``<html lang>``.
        timezone: IANA name; a release date begins at midnight there.
        base_url: where the site will live, for absolute links; may stay empty, the site works under any path.
    """

    title: str = ""
    language: str = "en"
    timezone: str = "UTC"
    base_url: str = ""


class SourceSettings(_Table, frozen=True, kw_only=True):
    """``[sources]``: which files are read, and as what.

    Attributes:
        root: folder of the lectures, relative to the file.
        include: glob patterns of files to read, relative to ``root``.
        exclude: glob patterns of files not to read; added to ``exclude_defaults``.
        exclude_defaults: what is left out unless this is set to [].
        slides: glob patterns of files that are decks even if nothing in them says so (a file with ``marp: true``
            in its front matter, or one named ``slides.md``, is a deck anyway).
    """

    root: str = "."
    include: tuple[str, ...] = ("**/*.md",)
    exclude: tuple[str, ...] = ()
    exclude_defaults: tuple[str, ...] = (
        "**/.*/**",
        "**/_*/**",
        "**/node_modules/**",
        "**/dist/**",
        "**/README.md",
        "**/Readme.md",
        "**/CONTRIBUTING.md",
        "**/CODE_OF_CONDUCT.md",
        "**/LICENSE.md",
        "**/CHANGELOG.md",
    )
    slides: tuple[str, ...] = ()


class LectureSettings(_Table, frozen=True, kw_only=True):
    """``[lectures."ID"]``: what front matter would say of one lecture; wins over it.

    Attributes:
        number: position in the course.
        title: of the lecture.
        release: first day on which the lecture may be read into anything.
        week, tags: shown and filtered by.
    """

    number: int | None = None
    title: str | None = None
    release: date | None = None
    week: int | None = None
    tags: tuple[str, ...] | None = None


class ChunkSettings(_Table, frozen=True, kw_only=True):
    """``[chunks]``: how documents are cut.

    Attributes:
        cut_levels: heading levels that begin a new chunk; deeper headings stay inside one.
        max_words: at most this many words of text in a chunk, heading path not counted.
        overlap: share of a chunk's words repeated at the start of the next part, 0 to 0.5.
        context: whether the heading path is embedded with the text.
    """

    cut_levels: tuple[Annotated[int, msgspec.Meta(ge=1, le=6)], ...] = (1, 2, 3)
    max_words: Annotated[int, msgspec.Meta(ge=16, le=2000)] = 350
    overlap: Annotated[float, msgspec.Meta(ge=0, le=0.5)] = 0.0
    context: bool = True


class EncoderSettings(_Table, frozen=True, kw_only=True):
    """``[models.encoder]``: which weights embed chunks and questions.

    Attributes:
        name: of the sentence-transformers model.
        path: folder made by ``openbook models export``; empty for the model that ships.
        max_tokens: word pieces read of a text, special tokens included; None for what the model was made to read
            (256 for the one that ships). A lower number makes smaller chunks; a higher one is refused.
    """

    name: str = "sentence-transformers/all-MiniLM-L6-v2"
    path: str = ""
    max_tokens: Annotated[int, msgspec.Meta(ge=16, le=8192)] | None = None


class ModelSettings(_Table, frozen=True, kw_only=True):
    """``[models]``."""

    encoder: EncoderSettings = EncoderSettings()


class KeywordSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.keyword]``: BM25 as MiniSearch computes it.

    Attributes:
        depth: how many hits go on to fusion.
        k1, b, d: parameters of BM25+ (MiniSearch's ``k``, ``b``, ``d``).
        boost_title: weight of the heading path against the text. On the dev half of the course that ships, 0.5 instead
            of 1 gained 2.0 points of MRR@10 and 1.6 after fusion; on three other sets it moved less than 0.5.
        divide_by_matched_terms: take out the factor by which MiniSearch multiplies a score: the number of
            distinct query terms matched. With it and d = 0 the score is the textbook's BM25.
    """

    depth: Positive = 50
    k1: NonNegativeFloat = 1.2
    b: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.75
    d: NonNegativeFloat = 0.0
    boost_title: NonNegativeFloat = 0.5
    divide_by_matched_terms: bool = True


class DenseSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.dense]``: exact cosine.

    Attributes:
        depth: how many hits go on to fusion.
    """

    depth: Positive = 50


class FusionSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.fusion]``: reciprocal rank fusion, sum of weight / (k + rank).

    Attributes:
        k: Cormack, Clarke and Buettcher (2009) fixed 60.
        keyword_weight, dense_weight: of each list.
    """

    k: Positive = 60
    keyword_weight: NonNegativeFloat = 1.0
    dense_weight: NonNegativeFloat = 1.0


class RerankSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.rerank]``: what orders the first of the fused hits anew.

    Attributes:
        mode: "late-interaction" compares the question's token vectors with the passages' (MaxSim, one bit a
            direction); "off" keeps the fused order, and the index has no token vectors.
        depth: how many of the fused hits are reordered; the rest stay behind them as they are. Each costs the tab
            a download of about 3 kB, once.
        keyword_weight: what the keyword score, as a share of the greatest that the question could have, adds to
            MaxSim.
        cosine_weight: what the cosine of a hit that dense search found adds to it.
    """

    mode: Literal["off", "late-interaction"] = "late-interaction"
    depth: Annotated[int, msgspec.Meta(ge=1, le=200)] = 20
    keyword_weight: NonNegativeFloat = 0.2
    cosine_weight: NonNegativeFloat = 0.1


class GateSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.gate]``: below which score the page says "not in the notes".

    The best MaxSim decides where there is late interaction, the best cosine where there is none (switched off, or its
    files could not be loaded). What is None is calibrated on the gold set by the build, or, without one, the default
    that was measured on general questions.

    Attributes:
        cosine: threshold on the best cosine of the dense list.
        late_interaction: threshold on the best MaxSim among the reranked hits.
    """

    cosine: Annotated[float, msgspec.Meta(ge=-1, le=1)] | None = None
    late_interaction: Annotated[float, msgspec.Meta(ge=-1, le=2)] | None = None


class PromptSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.prompt]``.

    Attributes:
        passages: how many passages are shown to the model.
        min_words, max_words: each passage is cut to a budget between these, by how many tokens there are.
        max_tokens: budget of the whole prompt, in tokens of the encoder's tokenizer.
    """

    passages: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    min_words: Positive = 120
    max_words: Positive = 220
    max_tokens: Positive = 1600


class RetrievalSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval]``."""

    keyword: KeywordSettings = KeywordSettings()
    dense: DenseSettings = DenseSettings()
    fusion: FusionSettings = FusionSettings()
    rerank: RerankSettings = RerankSettings()
    gate: GateSettings = GateSettings()
    prompt: PromptSettings = PromptSettings()


class WarningSettings(_Table, frozen=True, kw_only=True):
    """``[warnings]``.

    Attributes:
        ignore: kinds of warnings not to show, as printed in brackets behind each.
        as_errors: kinds that fail the build; ``["all"]`` for every one.
    """

    ignore: tuple[str, ...] = ()
    as_errors: tuple[str, ...] = ()


class Settings(_Table, frozen=True, kw_only=True):
    """The whole of ``openbook.toml``.

    Attributes:
        gold: the file of labelled questions, relative to the course's root; used when it exists.
    """

    course: CourseSettings = CourseSettings()
    sources: SourceSettings = SourceSettings()
    lectures: dict[str, LectureSettings] = {}
    chunks: ChunkSettings = ChunkSettings()
    models: ModelSettings = ModelSettings()
    retrieval: RetrievalSettings = RetrievalSettings()
    warnings: WarningSettings = WarningSettings()
    gold: str = "gold/questions.toml"


class Config(msgspec.Struct, frozen=True, kw_only=True):
    """Settings and where they came from.

    Attributes:
        root: absolute path of the course's root, the folder of ``openbook.toml``.
        path: of ``openbook.toml``, or None when there was none and the defaults stand.
        settings: what it says.
    """

    root: Path
    path: Path | None
    settings: Settings

    @property
    def sources_root(self) -> Path:
        """Absolute path of the folder with the lectures."""
        return (self.root / self.settings.sources.root).resolve()

    @property
    def gold_path(self) -> Path:
        """Absolute path of the gold set; it may not exist."""
        return self.root / self.settings.gold

    @property
    def title(self) -> str:
        """The course's title, or the folder's name."""
        return self.settings.course.title or self.root.name

    @property
    def timezone(self) -> ZoneInfo:
        """The course's time zone."""
        return ZoneInfo(self.settings.course.timezone)

    def today(self) -> date:
        """The present day in the course's time zone."""
        return datetime.now(self.timezone).date()


def load_config(path: Path) -> Config:
    """Read the settings of the course at ``path``.

    Args:
        path: the course's folder, or an ``openbook.toml``.

    Returns:
        The settings; those of an empty file when the folder has no ``openbook.toml``.

    Raises:
        ConfigError: the path does not exist, or the file is not TOML or says something unknown.
    """
    path = path.resolve()
    if not path.exists():
        raise ConfigError("there is no such folder or file.", source=path, hint="Give the folder of a course.")
    if path.is_dir():
        folder, file = path, path / CONFIG_NAME
        if not file.is_file():
            return Config(root=folder, path=None, settings=Settings())
    else:
        folder, file = path.parent, path
    raw = file.read_bytes()
    try:
        data = tomllib.loads(raw.decode("utf-8-sig"))
    except UnicodeDecodeError as error:
        raise ConfigError(
            "is not UTF-8.", source=file, line=raw[: error.start].count(b"\n") + 1, hint="Save it as UTF-8."
        ) from error
    except tomllib.TOMLDecodeError as error:
        match = re.search(r"at line (\d+)", str(error))
        raise ConfigError(f"is not valid TOML: {error}.", source=file, line=int(match[1]) if match else None) from error
    try:
        settings = msgspec.convert(data, Settings)
    except msgspec.ValidationError as error:
        place, line = _place(str(error), raw.decode("utf-8-sig"))
        raise ConfigError(
            f"{place}.", source=file, line=line, hint="See the README for the keys of openbook.toml."
        ) from error
    _check(settings, file)
    return Config(root=folder, path=file, settings=settings)


def find_config(path: Path) -> Config:
    """Read the settings of the course that a file or folder is in: the nearest ``openbook.toml`` above it.

    Returns:
        Those settings, or the defaults with the folder as the course's root when there is none.

    Raises:
        ConfigError: as for :func:`load_config`.
    """
    folder = path.resolve() if path.is_dir() else path.resolve().parent
    for candidate in (folder, *folder.parents):
        if (candidate / CONFIG_NAME).is_file():
            return load_config(candidate)
    return load_config(folder)


def _check(settings: Settings, file: Path) -> None:
    if settings.course.timezone not in available_timezones():
        raise ConfigError(
            f"course.timezone: {settings.course.timezone!r} is not an IANA time zone.",
            source=file,
            hint='Write one such as "Europe/Berlin".',
        )
    if settings.retrieval.prompt.min_words > settings.retrieval.prompt.max_words:
        raise ConfigError("retrieval.prompt: min_words is greater than max_words.", source=file)


def _place(message: str, text: str) -> tuple[str, int | None]:
    """Turn msgspec's ``… - at `$.a.b` `` into ``a.b: …`` and find the key's line in the file."""
    match = re.search(r"^(?P<what>.*?)(?: - at `\$\.?(?P<where>[^`]*)`)?$", message, re.DOTALL)
    what = match["what"] if match else message
    where = (match["where"] if match else None) or ""
    unknown = re.search(r"unknown field `([^`]+)`", what)
    key = unknown[1] if unknown else where.rsplit(".", 1)[-1].split("[")[0]
    if unknown:
        where = f"{where}.{key}".lstrip(".")
        what = "there is no such key"
    line = None
    for number, content in enumerate(text.splitlines(), 1):
        if key and re.match(rf"\s*\[?[\w.\"-]*\b{re.escape(key)}\b", content):
            line = number
            break
    return (f"{where}: {what}" if where else what), line
