"""reStructuredText inside MyST: ``{eval-rst}``."""

from __future__ import annotations

from openbook.course.markdown import parse
from openbook.course.readers.sections import read_sections

TEXT = """# Agents

```{eval-rst}
.. automodule:: mesa.agent
   :members:

.. note:: Mind the ``seed`` of :class:`~mesa.Model`.

   It is drawn once, as `the guide <https://x.org>`_ says.

   .. tip:: Fix it.

.. code-block:: python
   :linenos:

   a = 1

A grid
======

+-----+-----+
| one | two |
+=====+=====+
| 1   | 2   |
+-----+-----+

.. _target:

.. py:function:: move(x)

   Moves an agent.

Like so::

    move(1)
```

After.
"""


def test_the_text_of_rst_in_a_directive_is_read_and_what_it_draws_from_elsewhere_is_named():
    parsed = parse(TEXT)
    (section,) = read_sections(parsed, "T")
    assert [(block.kind, block.text) for block in section.blocks] == [
        ("admonition", "Mind the seed of mesa.Model.\n\nIt is drawn once, as the guide says.\n\nFix it."),
        ("code", "a = 1"),
        ("paragraph", "A grid"),
        ("paragraph", "| one | two | | 1 | 2 |"),
        ("paragraph", "move(x)"),
        ("paragraph", "Moves an agent."),
        ("paragraph", "Like so:"),
        ("code", "move(1)"),
        ("paragraph", "After."),
    ]
    assert [(warning.kind, warning.message) for warning in parsed.warnings] == [
        ("not-read", "{eval-rst}: what automodule:: shows is not read.")
    ]
