"""Courses in Chinese and Spanish with the English encoder: what each search finds.

``python -m bench.languages`` prints, for twelve questions each, the share whose section is among the first five and the
mean reciprocal rank. Twelve questions tell a catastrophe from a small difference, and no more. The corpora are real
(Dive into Deep Learning, The Unix Shell): see ``shared/data`` in CONTRIBUTING.
"""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple
from unittest.mock import patch

from bench.labelled import markdown
from openbook.asking import reference_asker
from openbook.config import load_config
from openbook.evaluation.metrics import metrics
from openbook.index import tokens
from openbook.index.keyword import serialise
from openbook.index.read import Index, load_index
from openbook.index.write import INDEX
from openbook.models.embeddings import EmbeddingCache
from openbook.models.encoder import Encoder
from openbook.prepare import prepare
from openbook.progress import Reporter
from openbook.retrieval import keyword as keyword_search
from openbook.retrieval.keyword import KeywordIndex, keyword
from openbook.retrieval.trace import DenseStage, RerankStage

ROOT = Path(__file__).resolve().parents[1]


class Asked(NamedTuple):
    """A question, the section that answers it (a part of its chunks' ids), and words that the chunk must hold."""

    question: str
    section: str
    words: str = ""


QUESTIONS: Final[dict[str, tuple[Asked, ...]]] = {
    "zh": (
        Asked("什么是缩放点积注意力？", "attention-scoring-functions/notes#缩放点积注意力"),
        Asked("查询和键长度不同时用什么评分函数？", "attention-scoring-functions/notes#subsec_additive-attention"),
        Asked("为什么要在输入中加入位置编码？", "positional-encoding/notes#subsec_positional-encoding"),
        Asked("卷积神经网络、循环神经网络和自注意力的计算复杂性如何比较？", "notes#subsec_cnn-rnn-self-attention"),
        Asked("稀疏特征的学习率应该怎样下降？", "adagrad/notes#稀疏特征和学习率"),
        Asked("层规范化和批量规范化有什么区别？", "transformer/notes#残差连接和层规范化"),
        Asked("鞍点是什么？", "optimization-intro/notes#鞍点"),
        Asked("激活函数tanh为什么会导致梯度消失？", "optimization-intro/notes#梯度消失"),
        Asked("怎样处理数据集中的缺失值？", "pandas/notes#处理缺失值"),
        Asked("不同形状的张量怎样用广播机制相加？", "ndarray/notes#subsec_broadcasting"),
        Asked("贝叶斯定理怎样计算条件概率？", "probability/notes#贝叶斯定理"),
        Asked("复合函数的导数怎样用链式法则计算？", "calculus/notes#链式法则"),
    ),
    "es": (
        Asked("¿Cuál es la diferencia entre una ruta absoluta y una relativa?", "02-filedir/", "ruta absoluta"),
        Asked("¿Qué comando crea un directorio nuevo?", "03-create/", "mkdir"),
        Asked("¿Por qué no se puede recuperar un archivo eliminado?", "03-create/", "Eliminar es para siempre"),
        Asked("¿Cómo cambio el nombre de un archivo?", "03-create/", "mv"),
        Asked("¿Cómo redirijo la salida de un comando a un archivo?", "04-pipefilter/", ">"),
        Asked("¿Para qué sirven los comodines como el asterisco?", "04-pipefilter/", "*"),
        Asked("¿Cómo cuento las líneas y palabras de un archivo?", "04-pipefilter/", "wc"),
        Asked("¿Cómo repito una operación sobre muchos archivos con un bucle?", "05-loop/", "bucle"),
        Asked("¿Cómo paso argumentos a un script?", "06-script/", "$1"),
        Asked("¿Qué hace grep con las expresiones regulares?", "07-find/", "expresiones regulares"),
        Asked("¿Cómo encuentro archivos por su nombre?", "07-find/", "find"),
        Asked("¿Cuáles son las ventajas de la terminal frente a una interfaz gráfica?", "01-intro/", "terminal"),
    ),
}

FOLDERS: Final = {"zh": "d2l-zh", "es": "shell-es/episodes"}

STOP_WORDS: Final = {
    "zh": "什么 怎么 怎样 如何 为什么",
    "es": "a al como con cual cuales cuando de del donde el en es esta este esto ha hace hay la las lo los mas no o"
    " para pero por porque que quien se ser si sin sobre son su sus un una y ya",
}
"""Tried, and not taken: see docs/languages.md."""


def corpora() -> Path:
    """Folder of the shared corpora."""
    return Path(os.environ.get("OPENBOOK_SHARED_DATA", ROOT.parent / "shared" / "data")) / "corpora"


def write_course(folder: Path, language: str, declared: str) -> Path:
    """Copy a corpus into a course that says it is in ``declared``; return the course's folder."""
    course = folder / f"{language}-{declared}"
    shutil.copytree(corpora() / FOLDERS[language], course / "lectures")
    (course / "openbook.toml").write_text(
        f'[course]\ntitle = "{language}"\nlanguage = "{declared}"\n[sources]\nroot = "lectures"\n', "utf-8"
    )
    return course


def rank_of(asked: Asked, ordinals: Sequence[int], index: Index) -> int | None:
    """Where the first chunk of the section stands in a ranking, from 1; None when it is not in it."""
    for rank, ordinal in enumerate(ordinals, 1):
        if asked.section in index.chunk(ordinal).id and asked.words in index.passages([ordinal])[0].text:
            return rank
    return None


@contextmanager
def _without_stemming() -> Iterator[None]:
    def forget() -> None:
        for cached in (tokens._token, tokens._compound):
            cached.cache_clear()

    forget()
    with patch.object(tokens, "_stem", lambda word: word):
        yield
    forget()


def run() -> list[tuple[str, str]]:
    """One table for each language: (heading, Markdown)."""
    tables = []
    for language, questions in QUESTIONS.items():
        with tempfile.TemporaryDirectory(prefix="openbook-bench-") as name:
            # Declared English, so that nothing of it is left out.
            config = load_config(write_course(Path(name), language, "en"))
            prepared = prepare(config, date(2026, 12, 1), Reporter(), EmbeddingCache())
            prepared.write(config, Path(name) / "site", {})
            index = load_index(Path(name) / "site" / INDEX)
            rows = list(_rows(language, questions, index))
        heading = (
            f"{FOLDERS[language]}, {index.size} chunks, {len(questions)} questions, with {index.manifest.model.name}"
        )
        tables.append((heading, markdown(("ranking", "hit@5", "MRR@10"), rows)))
    return tables


def _rows(language: str, questions: Sequence[Asked], index: Index) -> Iterator[tuple[str, str, str]]:
    def row(label: str, ranking: Callable[[str], Sequence[int]]) -> tuple[str, str, str]:
        found = metrics([rank_of(one, ranking(one.question), index) for one in questions])
        return label, f"{found.hit_5:.2f}", f"{found.mrr_10:.3f}"

    def by_keyword(held: KeywordIndex) -> Callable[[str], Sequence[int]]:
        return lambda asked: [hit.ordinal for hit in keyword(held, asked, index.settings.keyword, index.chunk)[1]]

    yield row("keyword", by_keyword(index.keyword))
    own = frozenset(tokens.tokenize(STOP_WORDS[language]))
    with patch.object(keyword_search, "STOP_WORDS", own):
        yield row("keyword, the language's own stop words", by_keyword(index.keyword))
    with _without_stemming():
        paths = [" / ".join(index.chunk(ordinal).path) for ordinal in range(index.size)]
        texts = [passage.text for passage in index.passages(range(index.size))]
        plain = KeywordIndex.from_serialised(dict(serialise([list(pair) for pair in zip(paths, texts, strict=True)])))
        yield row("keyword, no plurals and -ing taken off", by_keyword(plain))
        with patch.object(keyword_search, "STOP_WORDS", own):
            yield row("both", by_keyword(plain))
    ask = reference_asker(index, Encoder(index.model_files()))
    traces = {one.question: ask(one.question) for one in questions}

    def at(stage: type[DenseStage | RerankStage]) -> Callable[[str], Sequence[int]]:
        return lambda asked: [
            hit.ordinal for found in traces[asked].stages if isinstance(found, stage) for hit in found.hits
        ]

    yield row("dense", at(DenseStage))
    yield row("keyword and dense, fused and reranked", at(RerankStage))


if __name__ == "__main__":
    for heading, table in run():
        print(f"\n### {heading}\n\n{table}", flush=True)
