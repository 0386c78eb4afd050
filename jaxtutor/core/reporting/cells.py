"""Places a diagnosis of a notebook in its cell."""

from __future__ import annotations

from msgspec.structs import replace

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.failures import Step
from jaxtutor.core.data.lines import whole_lines
from jaxtutor.core.data.notebooks import Notebook
from jaxtutor.core.data.positions import Frame, Span


def in_cell(diagnosis: Diagnosis, notebook: Notebook) -> tuple[Diagnosis, str, int]:
    """Return a diagnosis with the lines of its cell, the cell's source, and its number.

    Lines of other cells, from which a value may come, are given as lines of those cells.
    """
    number, _ = notebook.locate(diagnosis.span.line if diagnosis.span else 1)
    raised = diagnosis.raised_at
    placed = replace(
        diagnosis,
        span=_moved(diagnosis.span, notebook),
        origin=tuple(_step(step, diagnosis.file, notebook) for step in diagnosis.origin),
        raised_at=_frame(raised, diagnosis.file, notebook) if raised else None,
    )
    return placed, cell_source(notebook, number), number


def cell_source(notebook: Notebook, number: int) -> str:
    """Return the source of one cell."""
    lines = whole_lines(notebook.source)
    index = notebook.numbers.index(number)
    ends = (*notebook.starts[1:], len(lines) + 1)
    return "".join(lines[notebook.starts[index] - 1 : ends[index] - 1])


def _moved(span: Span | None, notebook: Notebook) -> Span | None:
    if span is None:
        return None
    _, line = notebook.locate(span.line)
    return replace(span, line=line, end_line=line + span.end_line - span.line)


def _step(step: Step, file: str, notebook: Notebook) -> Step:
    return replace(step, span=_moved(step.span, notebook)) if step.file == file else step


def _frame(frame: Frame, file: str, notebook: Notebook) -> Frame:
    span = _moved(frame.span, notebook)
    return replace(frame, span=span) if frame.file == file and span is not None else frame
