"""TeX to MathML at build time, so that a page needs no script and no font to show a formula."""

from __future__ import annotations

import re
from html import escape

from math_core import LatexError, LatexToMathML

# What authors write for MathJax and KaTeX and the converter knows under another name. Fewer lines where a shown
# formula loses nothing: \nonumber and \notag say what is the case anyway.
_MACROS = {"pmb": r"\boldsymbol{#1}", "nonumber": "", "notag": ""}
_ENVIRONMENTS = {"split": "aligned", "eqnarray": "align*", "eqnarray*": "align*"}
_NUMBERED = ("equation", "align", "gather", "multline", "alignat", "flalign")

_LABEL = re.compile(r"\\label\s*\{([^{}]*)\}")
_TAG = re.compile(r"\\tag\*?\s*\{([^{}]*)\}")
_REFERENCE = re.compile(r"\\(eqref|ref)\s*\{([^{}]*)\}")
_ENVIRONMENT = re.compile(r"\\(begin|end)\s*\{([a-zA-Z]+\*?)\}")
_STYLE = re.compile(r'\sstyle="([^"]*)"')
_ID = re.compile(r'\sid="[^"]*"')
_ELEMENT = re.compile(r"<([a-z]+)((?:\s[^<>]*?)?)(/?)>")
_ERROR = re.compile(r"^(\d+): (.*)$", re.DOTALL)

_CLASSES = {
    "text-align:left": "m-start",
    "text-align:right": "m-end",
    "text-align:center": "m-center",
    "padding-left:0": "m-tight-left",
    "padding-right:0": "m-tight-right",
    "padding-left:1em": "m-gap-left",
    "padding-right:0.1667em": "m-pad-right",
    "padding-left:0.1667em": "m-pad-left",
    "width:100%": "m-full",
    "width:50%": "m-half",
    "margin-left:-0.16666667em": "m-back",
    **{
        f"border-{side}:0.05em {style} currentcolor": f"m-line-{side}" + ("-dashed" if style == "dashed" else "")
        for side in ("left", "right", "top", "bottom")
        for style in ("solid", "dashed")
    },
}
"""The converter's inline styles, which the pages' policy forbids, as classes of ``prose.css``."""


class TexError(ValueError):
    """TeX that the converter does not read; the message says where in it and why."""


class MathConverter:
    """Converts the formulas of one document, and knows the numbers of its labelled equations.

    Args:
        labels: of the document's equations, in order; the first gets the number 1.
    """

    def __init__(self, labels: tuple[str, ...] = ()) -> None:
        self._tex = LatexToMathML(fancy_error=False, macros=_MACROS)
        self.numbers = {label: str(number) for number, label in enumerate(dict.fromkeys(labels), 1)}

    def convert(self, tex: str, *, display: bool) -> str:
        """Return a ``<math>`` element without any inline style or id.

        Raises:
            TexError: the TeX cannot be read.
        """
        prepared = _REFERENCE.sub(self._reference, _TAG.sub("", _LABEL.sub("", tex)))
        prepared = _ENVIRONMENT.sub(_unnumbered, prepared).strip()
        if not prepared:
            return ""
        try:
            mathml: str = self._tex.convert_with_local_state(prepared, displaystyle=display)
        except LatexError as error:
            match = _ERROR.match(str(error))
            reason = match[2] if match else str(error)
            before = prepared[: int(match[1])] if match else ""
            raise TexError(f"{reason.rstrip('.')} (line {before.count(chr(10)) + 1} of the formula)") from error
        return _ELEMENT.sub(_without_style, mathml)

    def tag(self, tex: str, label: str = "") -> tuple[str, str]:
        r"""Return (label, number) of a displayed formula; both empty when it has none.

        Args:
            tex: as written; a ``\tag`` in it wins over the number.
            label: given outside of the TeX, as MyST does.
        """
        inner = _LABEL.search(tex)
        label = label or (inner[1].strip() if inner else "")
        tagged = _TAG.search(tex)
        return label, tagged[1].strip() if tagged else self.numbers.get(label, "")

    def _reference(self, match: re.Match[str]) -> str:
        number = self.numbers.get(match[2].strip(), "?")
        return rf"\text{{({number})}}" if match[1] == "eqref" else rf"\text{{{number}}}"


def labels_in(tex: str) -> list[str]:
    r"""Return what ``\label`` names in a formula."""
    return [label.strip() for label in _LABEL.findall(tex)]


def _unnumbered(match: re.Match[str]) -> str:
    """Star an environment: numbers stand beside the formula, where they can be linked to."""
    name = _ENVIRONMENTS.get(match[2], match[2])
    return rf"\{match[1]}{{{name}*}}" if name in _NUMBERED else rf"\{match[1]}{{{name}}}"


def _without_style(match: re.Match[str]) -> str:
    name, attributes, close = match.groups()
    attributes = _ID.sub("", attributes)
    style = _STYLE.search(attributes)
    if style is None:
        return f"<{name}{attributes}{close}>"
    classes, extra = [], ""
    for declaration in style[1].split(";"):
        key, _, value = (part.strip() for part in declaration.partition(":"))
        if key == "color":
            extra += f' mathcolor="{escape(value)}"'
        elif key == "background-color":
            extra += f' mathbackground="{escape(value)}"'
        elif f"{key}:{value}" in _CLASSES:
            classes.append(_CLASSES[f"{key}:{value}"])
    if classes:
        extra += f' class="{" ".join(classes)}"'
    return f"<{name}{_STYLE.sub('', attributes)}{extra}{close}>"
