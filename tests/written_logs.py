"""Writes a recorded failure as the texts in which people would paste it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Frame

AROUND = 2
"""Lines that IPython and rich show on either side of the one that failed."""
WIDTH = 100


def python_39(failure: Failure, source: str) -> Iterator[str]:
    """Yield the lines of a traceback of Python 3.9, which marks nothing."""
    yield "Traceback (most recent call last):"
    for frame in failure.frames:
        yield f'  File "/home/u/{frame.file}", line {frame.span.line}, in {frame.function}'
        yield f"    {_line(source, frame).strip()}"
    for name in failure.jax_frames:
        home, _, function = name.rpartition(".")
        path = home.replace(".", "/")
        yield f'  File "/v/lib/python3.9/site-packages/{path}.py", line 1, in {function}'
        yield "    return fun(*args)"
    yield _exception(failure)


def python_312(failure: Failure, source: str) -> Iterator[str]:
    """Yield the lines of a filtered traceback of Python 3.12, with carets."""
    yield "Traceback (most recent call last):"
    for frame in failure.frames:
        line, span = _line(source, frame), frame.span
        yield f'  File "/home/u/{frame.file}", line {span.line}, in {frame.function}'
        yield f"    {line.strip()}"
        indent = len(line) - len(line.lstrip())
        end = span.end_column if span.end_line == span.line else len(line)
        if (span.column, end) != (indent, len(line)):
            yield " " * (4 + span.column - indent) + "^" * (end - span.column)
    yield _exception(failure)


def ipython(failure: Failure, source: str) -> Iterator[str]:
    """Yield the lines of a traceback in a cell of IPython 8."""
    yield "-" * 75
    yield f"{failure.error_class:<42}Traceback (most recent call last)"
    for frame in failure.frames:
        place = "" if frame.function == "<module>" else f", in {frame.function}(x)"
        yield f"Cell In[3], line {frame.span.line}{place}"
        around = dict(_around(source, frame))
        shared = min((len(t) - len(t.lstrip()) for t in around.values() if t.strip()), default=0)
        for number, text in around.items():
            start = f"----> {number}" if number == frame.span.line else f"{number:>7}"
            yield f"{start} {text[shared:]}".rstrip()
        yield ""
    yield f"{failure.error_class}: {failure.message}"


def rich(failure: Failure, source: str) -> Iterator[str]:
    """Yield the lines of a traceback in rich's box."""
    yield "╭" + "─ Traceback (most recent call last) ".ljust(WIDTH - 2, "─") + "╮"
    for frame in failure.frames:
        yield _row(f"/home/u/{frame.file}:{frame.span.line} in {frame.function}")
        yield _row("")
        for number, text in _around(source, frame):
            depth = (len(text) - len(text.lstrip())) // 4
            arrow = "❱" if number == frame.span.line else " "
            yield _row(f"{arrow} {number:>3} {'│   ' * depth}{text.strip()}")
        yield _row("")
    yield "╰" + "─" * (WIDTH - 2) + "╯"
    yield _exception(failure)


def message(failure: Failure, _: str) -> Iterator[str]:
    """Yield the lines of the exception alone."""
    yield _exception(failure)


Form = Callable[[Failure, str], Iterator[str]]
FORMS: Mapping[str, Form] = {
    form.__name__: form for form in (python_39, python_312, ipython, rich, message)
}


def _exception(failure: Failure) -> str:
    home = "" if failure.module in ("", "builtins") else f"{failure.module}."
    said = f": {failure.message}" if failure.message else ""
    return f"{home}{failure.error_class}{said}"


def _line(source: str, frame: Frame) -> str:
    lines = split_lines(source)
    return lines[frame.span.line - 1] if frame.span.line <= len(lines) else ""


def _around(source: str, frame: Frame) -> Iterator[tuple[int, str]]:
    lines, at = split_lines(source), frame.span.line
    for number in range(max(1, at - AROUND), min(len(lines), at + AROUND) + 1):
        yield number, lines[number - 1]


def _row(text: str) -> str:
    return f"│ {text[: WIDTH - 4]:<{WIDTH - 4}} │"
