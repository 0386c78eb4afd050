"""Checks properties that must hold for every diagnosis, edit and drawing."""

from __future__ import annotations

import ast
import io
import re
import warnings
from collections.abc import Iterable, Iterator, Mapping

from rich.cells import cell_len
from rich.console import RenderableType

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.positions import Span
from jaxtutor.core.diagnosis.engine.pages import FACTS
from jaxtutor.core.diagnosis.engine.propose import Patch
from jaxtutor.core.diagnosis.engine.source import read_module
from jaxtutor.core.reporting.reports import script_report
from jaxtutor.display.render import Renderer
from jaxtutor.display.theme import choose_marks, make_console

_BRACES = re.compile(r"\{(?:" + "|".join(FACTS) + r")\}")
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_OBEYED = re.compile("[\x00-\x09\x0b-\x1f\x7f-\x9f\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069]")
"""Control characters, except the line feed."""


# ---------------------------------------------------------------- locations


def python_lines(source: str) -> list[str]:
    """Split a source into the lines of Python's tokenizer, independently of our own code."""
    return source.replace("\r\n", "\n").replace("\r", "\n").split("\n")


def wrong_in_span(span: Span, source: str) -> Iterator[str]:
    """Return what is wrong with a span that is not inside its source."""
    lines = python_lines(source)
    if not 1 <= span.line <= span.end_line <= len(lines):
        yield f"{span} is not among {len(lines)} lines"
    elif not 0 <= span.column <= len(lines[span.line - 1]):
        yield f"{span} begins beyond its line {lines[span.line - 1]!r}"
    elif not 0 <= span.end_column <= len(lines[span.end_line - 1]):
        yield f"{span} ends beyond its line {lines[span.end_line - 1]!r}"
    elif (span.line, span.column) > (span.end_line, span.end_column):
        yield f"{span} ends before it begins"


def text_at(span: Span, source: str) -> str:
    """Return the text of a span."""
    lines = python_lines(source)[span.line - 1 : span.end_line]
    lines[-1] = lines[-1][: span.end_column]
    lines[0] = lines[0][span.column :]
    return "\n".join(lines)


# ---------------------------------------------------------------- a diagnosis


def wrong_in_diagnosis(diagnosis: Diagnosis, sources: Mapping[str, str]) -> Iterator[str]:
    """Return what cannot be right in a diagnosis, whatever is wrong with the program."""
    source = sources.get(diagnosis.file)
    if source is None:
        yield f"it is of {diagnosis.file!r}, which is none of the files"
        return
    for text in (diagnosis.summary, diagnosis.advice):
        if _BRACES.search(text):
            yield f"a fact is not filled in: {text!r}"
    if not diagnosis.summary.strip():
        yield "it says nothing"
    if diagnosis.span is None:
        return
    found = list(wrong_in_span(diagnosis.span, source))
    yield from found
    if not found and not _is_at(diagnosis.expression, text_at(diagnosis.span, source)):
        yield f"{diagnosis.expression!r} is not at {diagnosis.span}"
    if diagnosis.raised_at is not None and diagnosis.raised_at.file == diagnosis.file:
        yield from wrong_in_span(diagnosis.raised_at.span, source)
    for step in diagnosis.origin:
        theirs = sources.get(step.file or "")
        if step.span is not None and theirs is not None:
            yield from wrong_in_span(step.span, theirs)


def _is_at(expression: str, text: str) -> bool:
    """Return True if an expression is the text, or a part that may represent the whole."""
    return bool(expression) and (expression in text or text.strip() in expression)


# ---------------------------------------------------------------- an edit


def wrong_in_patch(patch: Patch, source: str) -> Iterator[str]:
    """Return where an edit changes more than it names, or leaves invalid Python."""
    after = patch.apply(source)
    for edit in patch.edits:
        yield from _wrong_in_edit(edit.span, source)
    if not _is_kept(patch, source, after):
        yield f"it changes more than {[edit.span for edit in patch.edits]}: {after!r}"
    if not is_python(after):
        yield f"it leaves no Python: {after!r}"
    if (made := apply_diff(patch.diff(source), source)) != after:
        yield f"its diff gives {made!r} and not {after!r}"
    if lost := _comments(source, patch) - _all_comments(after):
        yield f"it loses {lost}"
    if _line_ends(source) != _line_ends(after) and len(_line_ends(source)) == 1:
        yield f"it mixes the line ends {_line_ends(after)}"
    before = read_module(patch.file, source)
    inside = [edit for edit in patch.edits if before and _is_in_text(before.tree, edit.span)]
    if inside:
        yield f"it edits the inside of a text: {inside}"


def _wrong_in_edit(span: Span, source: str) -> Iterator[str]:
    """Return the fault of one edit. Its end may be past the last line, or at a line end."""
    if span.end_line <= len(python_lines(source)):
        yield from wrong_in_span(span, source)
    elif span.end_column:
        yield f"{span} ends beyond the source"


def _is_kept(patch: Patch, source: str, after: str) -> bool:
    """Return True if the bytes between the spans occur in the new text in order."""
    data, made = source.encode(), after.encode()
    lines = re.findall(rb"[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+", data)
    kept, place = [], 0
    for edit in patch.edits:
        begin = _byte(lines, edit.span.line, edit.span.column)
        kept.append(data[place:begin])
        place = _byte(lines, edit.span.end_line, edit.span.end_column)
    kept.append(data[place:])
    if not made.startswith(kept[0]) or not made.endswith(kept[-1]):
        return False
    at = 0
    for piece in kept:
        at = made.find(piece, at)
        if at < 0:
            return False
        at += len(piece)
    return True


def _byte(lines: list[bytes], line: int, column: int) -> int:
    before = sum(map(len, lines[: line - 1]))
    if line > len(lines):
        return before
    return before + len(lines[line - 1].decode()[:column].encode())


def is_python(source: str) -> bool:
    """Return True if a source compiles."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            compile(source, "", "exec", dont_inherit=True)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def apply_diff(diff: str, source: str) -> str:
    """Apply a unified diff as `patch` does."""
    lines = re.findall(r"[^\n]*\n|[^\n]+", source)
    made: list[str] = []
    at = 0
    before = ""
    for line in re.findall(r"[^\n]*\n|[^\n]+", diff)[2:]:
        if head := re.match(r"@@ -(\d+)(?:,(\d+))? ", line):
            start = int(head[1]) - (head[2] != "0")
            made += lines[at:start]
            at = start
        elif line.startswith("\\"):
            if not before.startswith("-"):
                made[-1] = made[-1].removesuffix("\n")
        elif line.startswith("+"):
            made.append(line[1:])
        elif line.startswith("-"):
            at += 1
        else:
            made.append(lines[at])
            at += 1
        before = line
    return "".join([*made, *lines[at:]])


def _all_comments(source: str) -> set[str]:
    return {text.strip() for line in python_lines(source) for text in re.findall("#.*", line)}


def _comments(source: str, patch: Patch) -> set[str]:
    """Return the comments outside the lines of the edits."""
    touched = {n for e in patch.edits for n in range(e.span.line, e.span.end_line + 1)}
    lines = enumerate(python_lines(source), 1)
    return {text.strip() for n, text in lines if n not in touched and text.strip()[:1] == "#"}


def _line_ends(source: str) -> set[str]:
    return set(re.findall(r"\r\n|\r|\n", source))


def _is_in_text(tree: ast.Module, span: Span) -> bool:
    """Return True if a span begins inside a string, on a later line than the string."""
    texts = (n for n in ast.walk(tree) if isinstance(n, ast.Constant) and isinstance(n.value, str))
    return any(
        (n.lineno < span.line < (n.end_lineno or 0))
        or (n.lineno < span.line == n.end_lineno and span.column < (n.end_col_offset or 0) - 3)
        for n in texts
    )


# ---------------------------------------------------------------- drawings


def draw(parts: Iterable[RenderableType], width: int, plain: bool = False) -> str:
    """Draw something for a terminal with a number of columns, in colour or plain."""
    file = io.StringIO()
    console = make_console(file, plain, {"COLUMNS": str(width), "FORCE_COLOR": "1"})
    console.width = width
    for part in parts:
        console.print(part, width=width)
    return file.getvalue()


def renderer(width: int, plain: bool = False) -> Renderer:
    """Return a renderer for a terminal with a number of columns."""
    console = make_console(io.StringIO(), plain, {"COLUMNS": str(width)})
    console.width = width
    return Renderer(console, choose_marks(console, plain))


def wrong_in_drawing(drawn: str, width: int) -> Iterator[str]:
    """Return escape sequences and lines that are too long in a drawing."""
    plain = _COLOUR.sub("", drawn)
    if found := _OBEYED.search(plain):
        yield f"it holds {found[0]!r}: {plain[max(found.start() - 60, 0) : found.end() + 60]!r}"
    longest = max(plain.split("\n"), key=cell_len, default="")
    if cell_len(longest) > width:
        yield f"a line has {cell_len(longest)} columns of {width}: {longest!r}"


def wrong_on_pages(diagnosis: Diagnosis, sources: Mapping[str, str]) -> Iterator[str]:
    """Return the faults of a diagnosis in its drawing and in its JSON."""
    source = sources.get(diagnosis.file, "")
    for width, plain in ((92, False), (40, False), (40, True), (23, False)):
        drawn = draw(renderer(width, plain).diagnosis(diagnosis, source), width, plain)
        yield from (f"drawn at {width}: {wrong}" for wrong in wrong_in_drawing(drawn, width))
    script_report(
        file=diagnosis.file,
        status="raised",
        device="",
        jax_version="",
        seconds=0.0,
        diagnosis=diagnosis,
        findings=(diagnosis,),
        stdout="",
    )
