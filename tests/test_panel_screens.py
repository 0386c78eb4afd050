"""Tests what the panel shows at 80x24 of the thirty most frequent kinds of mistakes.

`data/panels.txt` has a mistake of each kind, by its name in `mistakes`, and the rows of its panel.
`JAXTUTOR_REWRITE=1` draws them again: read each as a learner who has not seen JAX yet.
"""

from __future__ import annotations

import io
import os
import re
from collections.abc import Iterable
from itertools import accumulate, chain
from pathlib import Path

import pytest

from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import FANCY, make_console
from jaxtutor.session import panel
from jaxtutor.session.panel_rows import choose_panel
from typed_mistakes import first_verdict, records, typed_mistakes

SCREENS = Path(__file__).parent / "data" / "panels.txt"
ROWS = choose_panel(24) - 1
"""The rows of the panel at 24 rows, without the status line."""
OFFER = "Press F12 h for a hint."


def stored() -> dict[str, str]:
    """Return the stored screens by the names of their mistakes."""
    screens = re.split("^== ", SCREENS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]
    return {name: text.rstrip("\n") for name, _, text in (it.partition("\n") for it in screens)}


def draw(name: str, columns: int = 80, rows: int = ROWS) -> list[list[str]]:
    """Return the lines of each part of the panel of a mistake, if some rows are visible."""
    mistake = next(it for it in typed_mistakes() if it.name == name)
    verdict = first_verdict(records()[name], mistake)
    renderer = Renderer(make_console(io.StringIO(), False, {}), FANCY)
    renderer.console.width = columns
    drawn = []
    for part in panel.draw_verdict(renderer, verdict, mistake.source, OFFER, rows=rows):
        with renderer.console.capture() as capture:
            renderer.console.print(part)
        drawn.append([line.rstrip() for line in capture.get().removesuffix("\n").split("\n")])
    return drawn


def visible(name: str) -> str:
    """Return the visible rows of a mistake."""
    return "\n".join([*chain(*draw(name))][:ROWS]).rstrip("\n")


def rewritten(names: Iterable[str]) -> str:
    """Return the text of the file with screens."""
    return "\n".join(f"== {name}\n{visible(name)}\n" for name in names)


def test_the_panels_of_frequent_mistakes() -> None:
    """The panel at 80x24 shows what is wrong, what to do and the expression, as they were read."""
    screens = stored()
    if os.environ.get("JAXTUTOR_REWRITE"):
        SCREENS.write_text(rewritten(screens), encoding="utf-8")
        screens = stored()

    assert len(screens) == 30
    assert screens == {name: visible(name) for name in screens}


@pytest.mark.parametrize("columns", [80, 40])
@pytest.mark.parametrize("rows", range(6, 13))
def test_no_panel_is_cut(columns: int, rows: int) -> None:
    """In every size a part ends in the last visible row, and no line continues another's."""
    for name in stored():
        parts = draw(name, columns, rows)
        ends = list(accumulate(len(part) for part in parts))
        lines = [*chain(*parts)]
        assert rows in ends or ends[-1] < rows, name
        assert not [line for line in lines if line.startswith("… ") or line.endswith(" …")]
