"""Diagnoses failing cells in IPython and notebooks, after `%load_ext jaxtutor`.

This is the only module of the shell that imports the worker: a notebook's kernel is the learner's
own process, and its exceptions can only be described there.
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
    """Diagnose the exceptions of cells, after showing them as usual."""
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
    """Return whether a file name is one that IPython gives to a cell."""
    return any(mark in file for mark in CELL_MARKS)


def diagnose_cell(
    error: BaseException, causes: Mapping[str, Cause]
) -> tuple[Diagnosis, str] | None:
    """Diagnose an exception raised in a cell; return it with the source of the cell to change."""
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
