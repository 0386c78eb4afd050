"""Owns the diagnosis of failing cells: `%load_ext jaxtutor` in IPython or a notebook.

The one module that uses the worker's eyes outside a worker: a notebook's kernel is the learner's
own process, and what failed there can be described only there.
"""

from __future__ import annotations

import linecache
import sys
from collections.abc import Mapping
from typing import Any

from jaxtutor.content.cause_pages import Library
from jaxtutor.core.data.model import Diagnosis
from jaxtutor.core.diagnosis.diagnose import diagnose
from jaxtutor.core.diagnosis.pages import Cause
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import choose_marks, make_console

CELL_MARKS = ("<ipython-input-", "ipykernel_")


def watch_cells(shell: Any) -> None:
    """Have every exception of a cell shown as usual, and then diagnosed."""
    causes = Library()

    def explain(
        shell: Any, kind: type, error: BaseException, trace: Any, tb_offset: Any = None
    ) -> None:
        shell.showtraceback((kind, error, trace), tb_offset=tb_offset)
        found = diagnose_cell(error, causes)
        if found is not None and found[0].cause is not None:
            _print(*found)

    shell.set_custom_exc((Exception,), explain)


def is_cell(file: str) -> bool:
    """Tell whether a file's name is one that IPython gives to a cell."""
    return any(mark in file for mark in CELL_MARKS)


def diagnose_cell(
    error: BaseException, causes: Mapping[str, Cause]
) -> tuple[Diagnosis, str] | None:
    """Diagnose what a cell raised; with it comes the source of the cell to change."""
    from jaxtutor.worker import failure

    described = failure.describe(error, is_cell)
    files = {frame.file for frame in described.frames}
    sources = {file: "".join(linecache.getlines(file)) for file in files}
    found = diagnose(described, sources, causes)
    return None if found is None else (found, sources.get(found.file, ""))


def _print(found: Diagnosis, source: str) -> None:
    console = make_console(sys.stdout, False, {})
    renderer = Renderer(console, choose_marks(console, False))
    for part in renderer.diagnosis(found, source):
        console.print(part, width=renderer.width)
