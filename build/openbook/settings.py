"""What ``openbook.toml`` may say: one struct a table, each key with its default.

Their docstrings are the reference for the file; the README's table is made of them.
"""

from __future__ import annotations

from datetime import date
from typing import Annotated, Literal

import msgspec

from openbook.errors import WarningKind

RerankMode = Literal["off", "late-interaction", "cross-encoder"]
Positive = Annotated[int, msgspec.Meta(ge=1)]
NonNegativeFloat = Annotated[float, msgspec.Meta(ge=0)]


class _Table(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A table of the file: unknown keys are an error."""


class CourseSettings(_Table, frozen=True, kw_only=True):
    """``[course]``: what the course is.

    Attributes:
        title: shown at the top of every page. Default: the name of the folder.
        language: BCP 47 tag of the notes' language, as in ``<html lang>``. Where the encoder does not know it, the page
            says so and the gate does not close by it; see docs/languages.md.
        timezone: IANA name; a release date begins at midnight there.
    """

    title: str = ""
    language: Annotated[str, msgspec.Meta(pattern=r"^[A-Za-z]{2,8}(-[A-Za-z0-9]{1,8})*$")] = "en"
    timezone: str = "UTC"


class SourceSettings(_Table, frozen=True, kw_only=True):
    """``[sources]``: which files are read, and as what.

    Attributes:
        root: folder of the lectures, relative to the file.
        include: glob patterns of files to read, relative to ``root``.
        exclude: glob patterns of files not to read; added to ``exclude_defaults``.
        exclude_defaults: what is left out unless this is set to [].
        slides: glob patterns of files that are decks even if nothing in them says so (a file with ``marp: true``
            in its front matter, or one named ``slides.md``, is a deck anyway).
        site: folder of a site that is built already (Sphinx, Jupyter Book, mystmd, MkDocs, Quarto, Docusaurus, Jekyll,
            Hugo), relative to the file. Its pages are read instead of ``root``; citations lead into them.
        site_url: where that site stands, seen from the folder that openbook writes: "../" when that folder is put into
            the site, or an address with https.
        readers: glob pattern → name of the reader for such files, where what a file holds does not tell its format:
            ``"talks/*.md" = "slidev"``. The first pattern that matches counts.
        notebook_outputs: whether what a notebook's code printed is read too.
    """

    root: str = "."
    include: tuple[str, ...] = (
        "**/*.md",
        "**/*.markdown",
        "**/*.mdx",
        "**/*.qmd",
        "**/*.[Rr]md",
        "**/*.ipynb",
        "**/*.html",
        "**/*.pptx",
        "**/*.pdf",
    )
    exclude: tuple[str, ...] = ()
    exclude_defaults: tuple[str, ...] = (
        "**/.*/**",
        "**/_*/**",
        "**/node_modules/**",
        "**/dist/**",
        "**/translations/**",
        "**/vendor/**",
        "**/venv/**",
        "**/_*.qmd",
        "**/_*.[Rr]md",
        "**/_*.mdx",
        "README.md",
        "Readme.md",
        "readme.md",
        "**/AGENTS.md",
        "**/CHANGELOG.md",
        "**/CODE_OF_CONDUCT.md",
        "**/CONTRIBUTING.md",
        "**/LICENSE.md",
        "**/SECURITY.md",
        "**/SUMMARY.md",
        "**/SUPPORT.md",
    )
    slides: tuple[str, ...] = ()
    site: str = ""
    site_url: str = "../"
    readers: dict[str, str] = {}
    notebook_outputs: bool = False


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


class CrossEncoderSettings(_Table, frozen=True, kw_only=True):
    """``[models.cross_encoder]``: a larger model that reads question and passage together, for a finer order.

    The site holds its files, and a reader's browser loads them only when the reader switches it on.

    Attributes:
        offer: whether the reader may choose it. It is there in any case when ``retrieval.rerank.mode`` is
            "cross-encoder".
        name: of the model on the hub; 91 MB in float32.
        path: folder made by ``openbook models export NAME --task rerank``, a quarter of the size; empty for the hub's.
        max_tokens: word pieces read of question and passage together; None for what the model was made to read.
    """

    offer: bool = False
    name: str = "cross-encoder/ms-marco-MiniLM-L6-v2"
    path: str = ""
    max_tokens: Annotated[int, msgspec.Meta(ge=32, le=8192)] | None = None


class ModelSettings(_Table, frozen=True, kw_only=True):
    """``[models]``."""

    encoder: EncoderSettings = EncoderSettings()
    cross_encoder: CrossEncoderSettings = CrossEncoderSettings()


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
            direction); "cross-encoder" has a larger model read the question with each passage, once the reader has
            loaded it, and until then does the same as "late-interaction"; "off" keeps the fused order, and the index
            has no token vectors.
        depth: how many of the fused hits are reordered; the rest stay behind them as they are. Each costs the tab
            a download of about 4 kB and 6 kB at most, once.
        keyword_weight: what the keyword score, as a share of the greatest that the question could have, adds to
            MaxSim.
        cosine_weight: what the cosine of a hit that dense search found adds to it.
        cross_depth: how many of the fused hits a cross-encoder reorders. Each is a pass through the model.
    """

    mode: RerankMode = "late-interaction"
    depth: Annotated[int, msgspec.Meta(ge=1, le=200)] = 16
    keyword_weight: NonNegativeFloat = 0.15
    cosine_weight: NonNegativeFloat = 0.1
    cross_depth: Annotated[int, msgspec.Meta(ge=1, le=50)] = 12


class GateSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.gate]``: below which score the page says "not in the notes".

    The question's answerability decides where there is late interaction, the best cross-encoder score where the reader
    has switched that on, the best cosine where there is neither. What is None is calibrated on the gold set by the
    build, or, without one, the default that was measured on other questions.

    Attributes:
        cosine: threshold on the best cosine of the dense list.
        answerability: threshold on the mean of the best MaxSim among the reranked hits and, with a weight of 0.2, the
            share of the question's terms that stand anywhere in the course.
        cross_encoder: threshold on the best score of a cross-encoder, as the model gives it. It has no default:
            without a gold set the cosine decides.
        stale: what becomes of an index whose thresholds were found on another corpus, model or tokenizer: "refuse" to
            open it, or "warn" and go on.
    """

    cosine: Annotated[float, msgspec.Meta(ge=-1, le=1)] | None = None
    answerability: Annotated[float, msgspec.Meta(ge=-1, le=2)] | None = None
    cross_encoder: Annotated[float, msgspec.Meta(ge=-1000, le=1000)] | None = None
    stale: Literal["refuse", "warn"] = "refuse"


class PromptSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.prompt]``.

    Attributes:
        passages: how many passages are shown to the model, at most.
        min_words, max_words: each passage is cut to a budget between these, by how many tokens there are.
        max_tokens: budget of the whole prompt, in tokens of the encoder's tokenizer, or of the model's own where that
            is known; a model with less room gets a shorter prompt.
        floor: a passage whose MaxSim is below this share of the best one's is left out. On the dev half of the course
            that ships, 0.6 leaves out 6 % of the passages that do not answer and none that does.
        duplicate: of two passages that share this much of the shorter one's text, as runs of three words, only the
            better is shown; 1 for copies alone.
        language: that a model is to answer in: de, es, fr, zh, or en, in which the prompt is written. Default: the
            course's, where it is one of them.
    """

    passages: Annotated[int, msgspec.Meta(ge=1, le=20)] = 5
    min_words: Positive = 120
    max_words: Positive = 220
    max_tokens: Positive = 1600
    floor: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.6
    duplicate: Annotated[float, msgspec.Meta(gt=0, le=1)] = 0.8
    language: Literal["", "en", "de", "es", "fr", "zh"] = ""


class CheckSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval.check]``: when a sentence of an answer counts as supported by the passage that it cites.

    Found on the dev half of ``gold/citations.toml``; ``python -m bench citations`` prints what they do on the other.

    Attributes:
        words: weight of the words in common against MaxSim.
        supported, weak: scores from which on a sentence is supported, or weakly so.
        supported_by_words, weak_by_words: the same where there are no token vectors, for the words alone.
    """

    words: Annotated[float, msgspec.Meta(ge=0, le=1)] = 0.1
    supported: NonNegativeFloat = 0.56
    weak: NonNegativeFloat = 0.44
    supported_by_words: NonNegativeFloat = 0.4
    weak_by_words: NonNegativeFloat = 0.25


class RetrievalSettings(_Table, frozen=True, kw_only=True):
    """``[retrieval]``."""

    keyword: KeywordSettings = KeywordSettings()
    dense: DenseSettings = DenseSettings()
    fusion: FusionSettings = FusionSettings()
    rerank: RerankSettings = RerankSettings()
    gate: GateSettings = GateSettings()
    prompt: PromptSettings = PromptSettings()
    check: CheckSettings = CheckSettings()


EngineName = Literal["webllm", "wllama", "built-in", "address"]
"""What writes an answer: WebLLM on the GPU, wllama on the processor, the browser's own model, or an address that speaks
OpenAI's protocol."""


class WebLlmSettings(_Table, frozen=True, kw_only=True):
    """``[generation.webllm]``: models that run on the reader's GPU.

    Attributes:
        models: names of models to offer, the preferred first; empty for all that there are: on the hub Qwen2.5 1.5B,
            Llama 3.2 1B, Qwen2.5 0.5B, SmolLM2 360M and 135M. The tab takes of each the variant that the reader's GPU
            can run, and advises the first that has room.
        weights: where the files are: empty for the model hub; a folder, relative to the course's root, with one folder
            a model, which is copied into the site; or the `https` address of such a folder on another host.
        pins: a file made by `openbook models pin`, relative to the course's root: size and SHA-256 of every file of
            the models, which the tab checks before use. Needed for another host. From the hub without it, there is
            nothing to check a file against on the first visit but the size and MD5 that the hub itself states.
    """

    models: tuple[str, ...] = ()
    weights: str = ""
    pins: str = ""


class WllamaSettings(_Table, frozen=True, kw_only=True):
    """``[generation.wllama]``: models that run on the reader's processor, in any recent browser.

    Attributes:
        model: a GGUF file with a chat template: a path relative to the course's root, which is copied into the site, or
            an `https` address on another host. Empty for those on the hub: SmolLM2 360M and Qwen2.5 0.5B.
        label: the model's name for readers; empty for the file's.
        sha256: of the file, in hex; needed for an address, which the tab checks the file against.
        context: tokens of prompt and answer together.
        gpu: whether it may use WebGPU as well, where the browser has it.
    """

    model: str = ""
    label: str = ""
    sha256: Annotated[str, msgspec.Meta(pattern="^([0-9a-f]{64})?$")] = ""
    context: Annotated[int, msgspec.Meta(ge=512, le=131072)] = 4096
    gpu: bool = False


class AddressSettings(_Table, frozen=True, kw_only=True):
    """``[generation.address]``: a program of the reader's own that speaks OpenAI's protocol, such as Ollama.

    Attributes:
        allow: origins that a reader may type beside those of their own computer, such as `https://llm.example.org`.
    """

    allow: tuple[Annotated[str, msgspec.Meta(pattern=r"^https?://[a-z0-9.-]+(:[0-9]+)?$")], ...] = ()


class GenerationSettings(_Table, frozen=True, kw_only=True):
    """``[generation]``: what the reader may choose to write answers with; the cited sentences need none of it.

    Attributes:
        engines: which are offered, in this order. The page's policy lets the tab reach other hosts only for these: the
            model hub for "webllm" and "wllama", what `address` lists for "address", none for "built-in".
        answer_tokens: at most so many tokens in an answer; kept free of the model's context.
    """

    engines: tuple[EngineName, ...] = ("webllm", "wllama", "built-in", "address")
    answer_tokens: Annotated[int, msgspec.Meta(ge=16, le=4096)] = 320
    webllm: WebLlmSettings = WebLlmSettings()
    wllama: WllamaSettings = WllamaSettings()
    address: AddressSettings = AddressSettings()


class SiteSettings(_Table, frozen=True, kw_only=True):
    """``[site]``: the site as a whole.

    Attributes:
        offline: whether a reader's browser keeps what was read, so that it is there without a network, and may install
            the site as an app.
    """

    offline: bool = True


class WarningSettings(_Table, frozen=True, kw_only=True):
    """``[warnings]``.

    Attributes:
        ignore: kinds of warnings not to show, as printed in brackets behind each.
        as_errors: kinds that fail the build; ``["all"]`` for every one.
    """

    ignore: tuple[WarningKind, ...] = ()
    as_errors: tuple[WarningKind | Literal["all"], ...] = ()


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
    generation: GenerationSettings = GenerationSettings()
    site: SiteSettings = SiteSettings()
    warnings: WarningSettings = WarningSettings()
    gold: str = "gold/questions.toml"
