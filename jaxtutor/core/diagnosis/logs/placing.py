"""Places a logged failure in source: the files that are here, or what the text quotes of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.lines import split_lines
from jaxtutor.core.data.positions import Frame, Span
from jaxtutor.core.diagnosis.causes.python.usual_imports import IMPORTS, SHARED
from jaxtutor.core.diagnosis.engine.source import Module, read_module
from jaxtutor.core.diagnosis.logs.frames import UNKNOWN_FILE, QuotedFrame
from jaxtutor.core.diagnosis.logs.reading import LoggedFailure
from jaxtutor.core.diagnosis.reading.calls import called_identifier
from jaxtutor.core.diagnosis.reading.names import last_part

NOWHERE = Frame(UNKNOWN_FILE, "<module>", Span(1, 0, 1, 0))
"""The frame of a message without any: what the message alone decides can be asked there."""


def place_in_sources(
    logged: LoggedFailure, texts: Mapping[str, str]
) -> tuple[Failure, dict[str, str]]:
    """Return the failure placed in files that still have the quoted lines, and their texts.

    Of a file that has changed since, or is not here, only the quoted lines are known. Columns move
    by the indentation that a text leaves out of a traceback.
    """
    kept = {}
    for file in dict.fromkeys(frame.file for frame in logged.failure.frames):
        kept[file] = fitting_text(logged, file, texts) or _source(logged, file)
    frames = logged.failure.frames
    below = [
        *(frame.function for frame in frames[1:]),
        last_part(next(iter(logged.failure.jax_frames), "")),
    ]
    kinds = _KINDS.get(logged.failure.error_class, _RAISING)
    is_of_truth = _TRUTH.search(logged.failure.message) is not None
    placed = tuple(
        _placed(frame, _Evaluation(frame.function, deeper, kinds, is_of_truth), kept)
        for frame, deeper in zip(frames, below, strict=False)
    )
    if not placed:
        placed, kept = (NOWHERE,), {NOWHERE.file: "\n"}
    return replace(logged.failure, frames=placed), kept


def fitting_text(logged: LoggedFailure, file: str, texts: Mapping[str, str]) -> str:
    """Return the text of a file if it has the quoted lines, whatever their indentation; else ""."""
    lines = split_lines(texts.get(file, ""))
    is_same = all(
        number <= len(lines) and lines[number - 1].strip() == code.strip()
        for frame in logged.frames
        if frame.file == file
        for number, code in frame.excerpt.items()
    )
    return texts[file] if lines and is_same else ""


def quoted_text(logged: LoggedFailure, file: str) -> str:
    """Return the lines of a file that the text quotes, each at its line."""
    quoted: dict[int, str] = {}
    for frame in logged.frames:
        if frame.file == file:
            quoted.update(frame.excerpt)
    return "\n".join(quoted.get(number, "") for number in range(1, max(quoted, default=0) + 1))


# ---------------------------------------------------------------- quoted lines as a source


def _from_excerpts(frames: Sequence[QuotedFrame]) -> str:
    """Return a source that has the quoted lines at their numbers, as far as they parse.

    What the innermost frame quotes goes first: frames of one function show the same lines.
    """
    lines: dict[int, str] = {}
    taken: list[tuple[int, int]] = []
    for frame in reversed(frames):
        part = _parsable(frame)
        if part and not any(min(part) <= last and first <= max(part) for first, last in taken):
            lines.update(part)
            taken.append((min(part), max(part)))
    return "".join(f"{lines.get(number, '')}\n" for number in range(1, max(lines, default=0) + 1))


def _source(logged: LoggedFailure, file: str) -> str:
    """Return the quoted lines as a source, with the usual imports unless a name was missing."""
    text = _from_excerpts([frame for frame in logged.frames if frame.file == file])
    is_complete = logged.failure.error_class in ("NameError", "UnboundLocalError")
    return text if is_complete else text + "".join(_imports(text))


def _imports(text: str) -> Iterator[str]:
    """Yield the usual imports of the names that some code reads and does not bind."""
    nodes = list(ast.walk(ast.parse(text)))
    names = {(n.id, isinstance(n.ctx, ast.Load)) for n in nodes if isinstance(n, ast.Name)}
    bound = {name for name, is_read in names if not is_read}
    bound |= {node.arg for node in nodes if isinstance(node, ast.arg)}
    for name in sorted({name for name, is_read in names if is_read} - bound - SHARED):
        if name in IMPORTS:
            yield f"{IMPORTS[name]}\n"


def _parsable(frame: QuotedFrame) -> dict[int, str]:
    """Return the largest part of an excerpt around its line that is Python, completed if need be.

    >>> span = Span(3, 0, 3, 9)
    >>> _parsable(QuotedFrame("a.py", "f", 3, {2: "    return y", 3: "if x > 0:"}, span))
    {3: 'if x > 0: pass'}
    """
    numbers = sorted(frame.excerpt)
    if frame.line not in frame.excerpt:
        return {}
    at = numbers.index(frame.line)
    for start, end in _windows(at, len(numbers)):
        part = {number: frame.excerpt[number] for number in numbers[start:end]}
        for completed in _completions(part):
            if _parses("\n".join(completed.values())):
                return completed
    return {}


MOST_WINDOWS = 200


def _windows(at: int, count: int) -> list[tuple[int, int]]:
    """List ranges around an index, the largest first; of a long excerpt not all."""
    found = [(start, end) for start in range(at + 1) for end in range(at + 1, count + 1)]
    found.sort(key=lambda it: it[0] - it[1])
    return [*found[:MOST_WINDOWS], (at, at + 1)]


def _completions(part: Mapping[int, str]) -> Iterator[dict[int, str]]:
    """Yield some lines as they are, with a body for their last line, and with closed brackets."""
    last = max(part)
    code = part[last]
    for ending in ("", " pass", _closing(part.values()), f"{_closing(part.values())}: pass"):
        yield {**part, last: _without_comment(code) + ending if ending else code}


_COMMENT = re.compile(r"\s+#[^'\"]*$")


def _without_comment(code: str) -> str:
    return _COMMENT.sub("", code)


_TOKEN = re.compile(r"(['\"])(?:\\.|(?!\1).)*\1|#.*$|[()\[\]{}]", re.M)
_PAIRS = {"(": ")", "[": "]", "{": "}"}


def _closing(lines: Iterable[str]) -> str:
    """Return what closes the brackets that are open at the end of some lines.

    >>> _closing(["y = f(x, [1,"])
    '])'
    """
    open_: list[str] = []
    for found in _TOKEN.finditer("\n".join(lines)):
        if found[0] in _PAIRS:
            open_.append(_PAIRS[found[0]])
        elif open_ and found[0] == open_[-1]:
            open_.pop()
    return "".join(reversed(open_))


def _parses(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return False
    return True


# ---------------------------------------------------------------- the expression


class _Evaluation(Struct, frozen=True):
    """What is known of the expression that raised: its function, what it called, its kind.

    `is_of_truth` says that Python needed its truth.
    """

    function: str
    called: str
    kinds: tuple[type[ast.expr], ...]
    is_of_truth: bool


_TRUTH = re.compile(r"boolean conversion|truth value")
_RAISING = (ast.Call, ast.BinOp, ast.Compare, ast.Subscript, ast.UnaryOp, ast.BoolOp, ast.IfExp)
_CONVERTING = (ast.Call, ast.Subscript)
_KINDS: Mapping[str, tuple[type[ast.expr], ...]] = {"TracerArrayConversionError": _CONVERTING}
"""The expressions that can raise a class: arithmetic with a tracer converts nothing to NumPy."""


def _placed(frame: Frame, known: _Evaluation, texts: Mapping[str, str]) -> Frame:
    """Move a frame's columns by the indentation of its line, and narrow it to one expression."""
    module = read_module(frame.file, texts.get(frame.file, ""))
    if module is None or frame.span.line > len(module.lines):
        return frame
    line = module.lines[frame.span.line - 1]
    shift = len(line) - len(line.lstrip())
    span = frame.span
    moved = Span(span.line, span.column + shift, span.end_line, span.end_column + shift)
    return Frame(frame.file, frame.function, _narrowed(module, moved, known))


def _narrowed(module: Module, span: Span, known: _Evaluation) -> Span:
    """Return the span of the expression that a place stands for, if there is only one.

    Python 3.11 and 3.12 mark the first line only, and older ones nothing.
    """
    exact = module.node_at(span)
    is_outside = known.function == "<lambda>" and exact and module.function(exact) is None
    if isinstance(exact, ast.expr) and not is_outside:
        return span
    begun = [
        node
        for node in module.nodes
        if isinstance(node, ast.expr)
        and (node.lineno, module.span(node).column) == (span.line, span.column)
        and (node.end_lineno or 0) > span.line
    ]
    if begun:
        return module.span(min(begun, key=lambda node: node.end_lineno or 0))
    statement = module.statement_on(span.line)
    only = _only_expression(statement, known) if statement is not None else None
    return module.span(only) if only is not None else span


def _only_expression(statement: ast.stmt, known: _Evaluation) -> ast.expr | None:
    """Return the expression of a statement that can have raised, if there is only one."""
    test = getattr(statement, "test", None)
    if isinstance(test, ast.expr) and known.is_of_truth:
        return test
    found = [node for node in _evaluated(_roots(statement, known)) if isinstance(node, known.kinds)]
    if known.kinds == _CONVERTING and not known.called:
        # A function that is called by its own name is not it: its frame would be the last.
        found = [node for node in found if not isinstance(getattr(node, "func", None), ast.Name)]
    called = [
        node
        for node in found
        if isinstance(node, ast.Call) and called_identifier(node) == known.called
    ]
    if len(called) == 1:
        return called[0]
    return found[0] if len(found) == 1 else None


def _roots(statement: ast.stmt, known: _Evaluation) -> list[ast.AST]:
    """Return the expressions of a statement, or the body of the one lambda that was called."""
    if known.function == "<lambda>":
        bodies = [node.body for node in ast.walk(statement) if isinstance(node, ast.Lambda)]
        return [*bodies] if len(bodies) == 1 else []
    own = ast.iter_child_nodes(statement)
    return [node for node in own if isinstance(node, ast.expr | ast.keyword)]


def _evaluated(roots: Sequence[ast.AST]) -> Iterator[ast.AST]:
    """Walk what expressions evaluate themselves, without functions in them."""
    stack = list(roots)
    while stack:
        node = stack.pop()
        yield node
        if not isinstance(node, ast.Lambda):
            stack.extend(ast.iter_child_nodes(node))
