"""Reads a traceback from a log: of another machine, with colours, or cut off."""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Iterator, Mapping

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import Failure, Step
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.reading.names import last_part

_COLOURS = re.compile(r"\x1b\[[0-9;?]*[ -/]*[@-~]|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)")
_FRAME = re.compile(r'^(\s*)File "(?P<file>[^"]+)", line (?P<line>\d+)(?:, in (?P<name>.+))?$')
_PYTEST_FRAME = re.compile(r"^(?P<file>[^\s:]+\.py):(?P<line>\d+):(?: [\w.]+)?$")
_SECTION = re.compile(r"^[_=]{3,}.*[_=]{3,}$")
_ERROR = re.compile(r"^(?P<path>(?:[A-Za-z_]\w*\.)*[A-Z_]\w*)(?:: ?(?P<message>.*))?$")
_CARETS = re.compile(r"^[\s~^]*[\^~][\s~^]*$")
_PREFIX = re.compile(
    r"^(?:\[?\d{4}-\d\d-\d\d[T ][\d:.,+Z-]+\]?|\[rank\d+\]:?|\[\d+\]|\d+:|[\w.-]+\s*\|)\s?"
)
"""What loggers and launchers put before each line: a time, a rank, a service."""

_NAMED = re.compile(r"(Error|Exception|Warning|Interrupt|Exit|NotFound|Deleted|Mismatch)$")
_NOTE = "For simplicity, JAX has removed its internal frames"

_LIBRARY = re.compile(r"[/\\](?:site|dist)-packages[/\\]|[/\\]lib[/\\]python3|^<")


class LoggedFailure(Struct, frozen=True):
    """A failure that was read from text, and the source lines that the text quotes."""

    failure: Failure
    quoted: Mapping[str, Mapping[int, str]]


def read_log(text: str) -> LoggedFailure | None:
    """Return the last exception of a log, None if it shows none.

    Only what the text says is known: no values, no types. A frame's span is exact where Python
    marked it, otherwise the whole line.
    """
    lines = [_plain(line) for line in split_lines(text)]
    error = _find_error(lines)
    if error is None:
        return None
    index, path, message = error
    start = max((n for n in range(index) if lines[n].startswith("Traceback (most")), default=-1)
    found = list(_frames(lines, start + 1, index)) or list(_pytest_frames(lines, index))
    own = tuple(frame for frame, _ in found if not _LIBRARY.search(frame.file))
    after = found[_last_own(found) + 1 :]
    quoted: dict[str, dict[int, str]] = {}
    for frame, code in found:
        if code and not _LIBRARY.search(frame.file):
            quoted.setdefault(frame.file, {})[frame.span.line] = code
    name = last_part(path)
    failure = Failure(
        error_class=name,
        bases=_bases(name),
        message=message,
        frames=own,
        module=path.rpartition(".")[0] or "builtins",
        jax_frames=tuple(f"{_module(frame.file)}.{frame.function}" for frame, _ in after),
    )
    return LoggedFailure(_with_facts(failure), quoted)


_TRACED = re.compile(r"tracing the function (\S+) at (.*?):(\d+) for (\w+)")
_DEPENDS = re.compile(r"depends on the values? of the arguments? ([\w.\[\]']+)")
_AVAL = re.compile(r"traced array with shape (~?\w+\[[^\]]*\])")


def _with_facts(failure: Failure) -> Failure:
    """Add what JAX's message says of the function that was traced and of the value."""
    text = failure.message
    traced, depends, aval = (p.search(text) for p in (_TRACED, _DEPENDS, _AVAL))
    return replace(
        failure,
        transformation=traced[4] if traced else None,
        traced_function=traced[1] if traced else None,
        tracer=aval[1] if aval else None,
        origin=(Step(depends[1].rstrip("."), ""),) if depends else (),
    )


def _plain(line: str) -> str:
    """Remove colours, and what a logger has put before the line."""
    line = _COLOURS.sub("", line).rstrip()
    line = _PREFIX.sub("", line, count=1)
    return line[2:] if line.startswith("E  ") else line  # pytest marks the lines of an exception


def _find_error(lines: list[str]) -> tuple[int, str, str] | None:
    """Return the line, the class and the message of the last exception."""
    for index in range(len(lines) - 1, -1, -1):
        found = _ERROR.match(lines[index].strip())
        if found is None or not _NAMED.search(found["path"]):
            continue
        message = [found["message"] or ""]
        for line in lines[index + 1 :]:
            if not line.strip() or line.startswith(("Traceback", "---", "During handling", "===")):
                break
            if _NOTE in line or _FRAME.match(line):
                break
            message.append(line.strip() if line.startswith("     ") else line)
        return index, found["path"], "\n".join(message).strip()
    return None


def _frames(lines: list[str], start: int, end: int) -> Iterator[tuple[Frame, str]]:
    """Yield the frames of a traceback with the source line that each quotes."""
    for index in range(start, end):
        found = _FRAME.match(lines[index])
        if found is None:
            continue
        code = lines[index + 1] if index + 1 < end and not _FRAME.match(lines[index + 1]) else ""
        marks = lines[index + 2] if index + 2 < end else ""
        line = int(found["line"])
        span = _span(line, code, marks)
        yield Frame(found["file"], found["name"] or "<module>", span), code.strip()


def _pytest_frames(lines: list[str], error: int) -> Iterator[tuple[Frame, str]]:
    """Yield the frames of pytest's report around an exception, each after its source."""
    start = max((n for n in range(error) if _SECTION.match(lines[n])), default=0)
    code, marks, function = "", "", "<module>"
    for index in range(start, len(lines)):
        line = lines[index]
        if index > error and _SECTION.match(line):
            return
        if named := re.match(r"^>?\s+def (\w+)\(", line):
            function = named[1]
        if line.startswith(">"):
            code = line[1:]
            marks = lines[index + 1][1:] if index + 1 < len(lines) else ""
        elif (found := _PYTEST_FRAME.match(line.strip())) and code:
            span = _span(int(found["line"]), code, marks)
            yield Frame(found["file"], function, span), code.strip()
            code = ""


def _span(line: int, code: str, marks: str) -> Span:
    """Return the marked part of a quoted line, counted from its first character."""
    indent = len(code) - len(code.lstrip())
    if _CARETS.match(marks) and marks.strip():
        begin = len(marks) - len(marks.lstrip()) - indent
        return Span(line, max(begin, 0), line, max(begin, 0) + len(marks.strip()))
    return Span(line, 0, line, len(code.strip()))


def _last_own(found: list[tuple[Frame, str]]) -> int:
    own = [n for n, (frame, _) in enumerate(found) if not _LIBRARY.search(frame.file)]
    return own[-1] if own else len(found) - 1


def _module(file: str) -> str:
    """Return the dotted name of a library's module, from its path."""
    _, found, path = file.replace("\\", "/").rpartition("-packages/")
    return path.removesuffix(".py").replace("/", ".") if found else ""


def _bases(name: str) -> tuple[str, ...]:
    kind = getattr(builtins, name, None)
    if isinstance(kind, type):
        return tuple(base.__name__ for base in kind.__mro__)
    known = {"ConcretizationTypeError": "TypeError", "TracerBoolConversionError": "TypeError"}
    return (name, known.get(name, "Exception"), "Exception")


def place_in_sources(
    logged: LoggedFailure, texts: Mapping[str, str]
) -> tuple[Failure, dict[str, str]]:
    """Return the failure placed in files that still have the quoted lines, and their texts.

    Of a file that has changed since, or is not here, only the quoted lines are known. Columns move
    by the indentation that Python leaves out of a traceback.
    """
    kept: dict[str, str] = {}
    for file, quoted in logged.quoted.items():
        lines = split_lines(texts.get(file, ""))
        is_same = all(
            line <= len(lines) and lines[line - 1].strip() == code for line, code in quoted.items()
        )
        if lines and is_same:
            kept[file] = texts[file]
        elif text := _from_quotes(quoted):
            kept[file] = text
    frames = tuple(_indented(frame, kept) for frame in logged.failure.frames)
    return replace(logged.failure, frames=frames), kept


def quoted_text(logged: LoggedFailure, file: str) -> str:
    """Return the lines of a file that the traceback quotes, each at its line."""
    quoted = logged.quoted.get(file, {})
    return "\n".join(quoted.get(number, "") for number in range(1, max(quoted, default=0) + 1))


def _from_quotes(quoted: Mapping[int, str]) -> str:
    """Return a source with the quoted lines alone, each at its line; empty if they do not parse."""
    lines = [""] * max(quoted)
    for number, code in quoted.items():
        lines[number - 1] = next((t for t in (code, f"{code} pass") if _parses(t)), "")
    return "\n".join(lines) + "\n" if any(lines) else ""


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


def _indented(frame: Frame, texts: Mapping[str, str]) -> Frame:
    text = texts.get(frame.file)
    if text is None:
        return frame
    line = split_lines(text)[frame.span.line - 1]
    shift = len(line) - len(line.lstrip())
    span = frame.span
    moved = Span(span.line, span.column + shift, span.end_line, span.end_column + shift)
    return Frame(frame.file, frame.function, moved)
