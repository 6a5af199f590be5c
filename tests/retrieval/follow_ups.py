"""Second turns in German, Spanish and Chinese: those that lean on the one before, with why, and those that do not."""

from __future__ import annotations

from typing import Final

from openbook.retrieval.follow_up import Before

BEFORE: Final = {
    "de": Before(question="Wie groß soll die Lücke bei TimeSeriesSplit sein?", heading="Die Lücke"),
    "es": Before(question="¿Qué tamaño debe tener la separación en TimeSeriesSplit?", heading="La separación"),
    "zh": Before(question="时间序列划分的间隔应该多大？", heading="间隔"),
}

LEANING: Final = {
    "de": {
        "Und bei Zeitreihen?": "conjunction",
        "Wie ist es mit mehreren Gruppen?": "conjunction",
        "Und das zweite?": "conjunction",
        "Warum?": "ellipsis",
        "Kannst du das erklären?": "ellipsis",
        "Ist sie dann noch ehrlich?": "pronoun",
        "Was passiert mit ihren Gradienten?": "pronoun",
        "Warum funktioniert diese Methode?": "pronoun",
        "Muss ich dafür skalieren?": "pronoun",
        "Wann leckt das?": "demonstrative",
    },
    "es": {
        "¿Y con series temporales?": "conjunction",
        "¿Qué pasa con los grupos?": "conjunction",
        "¿Por qué?": "ellipsis",
        "¿Puedes explicar eso?": "ellipsis",
        "¿Esto sirve para clasificación?": "pronoun",
        "¿Cuál es su varianza?": "pronoun",
        "¿Hay que escalar para eso?": "demonstrative",
    },
    "zh": {
        "时间序列呢？": "conjunction",
        "那分组数据怎么办？": "conjunction",
        "如果是测试集呢？": "conjunction",
        "为什么？": "ellipsis",
        "能举个例子吗？": "ellipsis",
        "它和方差有什么区别？": "pronoun",
        "这样会泄漏吗？": "pronoun",
        "这个方法为什么有效？": "pronoun",
        "怎么计算它？": "demonstrative",
    },
}

ALONE: Final = {
    "de": (
        "Was ist ein Konfidenzintervall?",
        "Gibt es einen Unterschied zwischen Varianz und Bias?",
        "Was ist das Bias eines Modells?",
        "Wie verhindert GroupKFold Leakage?",
        "Ist es sicher, Zeitreihen zu mischen?",
        "Wann sollte man die Lernrate senken?",
    ),
    "es": (
        "¿Qué es un intervalo de confianza?",
        "¿Es cierto que la normalización ayuda?",
        "¿Cómo evita GroupKFold la fuga de datos?",
        "¿Para qué sirve el dropout?",
        "¿En qué se diferencian la varianza y el sesgo?",
    ),
    "zh": (
        "什么是置信区间？",
        "为什么随机划分会泄漏？",
        "GroupKFold 保证什么？",
        "其他损失函数有哪些优点？",
        "因此为什么要归一化数据？",
    ),
    "fr": ("Et pour les séries temporelles ?", "Pourquoi ?"),
}
BEFORE["fr"] = Before(question="Que garantit GroupKFold ?")
