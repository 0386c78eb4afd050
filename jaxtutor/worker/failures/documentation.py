"""Reads what a library's docstrings say of the parameters of a call that raised.

Four styles are read: Google's (`Args:`), Equinox's (`- `x`: …`), Sphinx's (`:param x: …`) and
NumPy's (a name on its own line, its text indented below).
"""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from types import BuiltinFunctionType, FunctionType, MethodType

from jaxtutor.core.data.failures import DocumentedParameter
from jaxtutor.worker.failures import signatures

MOST_CHARACTERS = 320
"""Characters that are quoted of one parameter, unless its first sentence is longer."""

MOST_PARAMETERS = 3
MOST_TEXT = 40_000
"""Characters of a docstring that is read; the longest of the libraries have 10,000."""

_CALL = "__call__"
_FUNCTIONS = (FunctionType, BuiltinFunctionType, MethodType)
_SECTION = re.compile(
    r"^(?:\*\*)?(Arg(?:ument)?s?|Param(?:eter)?s?|Attributes)(?:\*\*)?:?(?:\*\*)?$"
)
_NAME = r"`{0,2}(\*{0,2}\w+)`{0,2}"
_GOOGLE = re.compile(rf"^{_NAME}(?:\s*\([^)]*\))?:\s+(\S.*)$")
_EQUINOX = re.compile(rf"^[-*] {_NAME}(?:, `\w+`)*:\s+(\S.*)$")
_SPHINX = re.compile(r"^:param(?: [^:]*?)? ?(\w+):\s+(\S.*)$")
_NUMPY = re.compile(rf"^{_NAME}(?:\s*:.*)?$")


def parameters_in(text: str) -> dict[str, str]:
    """Return what a docstring says of each parameter that it describes."""
    lines = text.expandtabs().splitlines()
    found: dict[str, str] = {}
    for number, line in enumerate(lines):
        name, first = _entry(lines, number)
        if name and name not in found:
            rest = _continuation(lines, number, _indent(line))
            found[name] = _shortened(" ".join([first, *rest]).strip())
    return {name: said for name, said in found.items() if said}


RESULT = "return"
"""The name under which what a function returns is reported; no parameter can have it."""

_UNPACKED = re.compile(r"values to unpack \(expected|cannot unpack non-iterable")
_RETURNS = re.compile(r"^(?:\*\*)?Returns?(?:\*\*)?:?(?:\*\*)?$")


def result_in(text: str) -> str:
    """Return what a docstring says of the result; empty if it says nothing."""
    lines = text.expandtabs().splitlines()
    for number, line in enumerate(lines):
        if (sphinx := re.match(r"^:returns?:\s+(\S.*)$", line.strip())) is not None:
            rest = _continuation(lines, number, _indent(line))
            return _shortened(" ".join([sphinx[1], *rest]))
        if _RETURNS.match(line.strip()):
            said = list(_section(lines, number + 1))
            return _shortened(" ".join(said))
    return ""


def _section(lines: list[str], start: int) -> Iterator[str]:
    """Yield the first paragraph below a heading."""
    begun = False
    for line in lines[start:]:
        if line.strip() and set(line.strip()) != {"-"}:
            begun = True
            yield line.strip()
        elif begun:
            return


def _entry(lines: list[str], number: int) -> tuple[str, str]:
    """Return the parameter that a line begins to describe and the line's words about it."""
    line = lines[number].strip()
    for pattern in (_EQUINOX, _SPHINX):
        if (match := pattern.match(line)) is not None:
            return match[1], match[2]
    section = _section_above(lines, number)
    if section is None:
        return "", ""
    is_numpy = set(lines[section + 1].strip()) == {"-"}
    match = (_NUMPY if is_numpy else _GOOGLE).match(line)
    if match is None or _indent(lines[number]) != _indent_of_entries(lines, section, is_numpy):
        return "", ""
    return match[1], "" if is_numpy else match[2]


def _section_above(lines: list[str], number: int) -> int | None:
    """Return the line of the heading of parameters that a line stands under."""
    for above in range(number - 1, -1, -1):
        line = lines[above].strip()
        if _SECTION.match(line):
            return above
        is_heading = re.fullmatch(r"\w[\w ]*:", line) or set(lines[above + 1].strip()) == {"-"}
        if line and is_heading and _indent(lines[above]) <= _indent(lines[number]):
            return None
    return None


def _indent_of_entries(lines: list[str], section: int, is_numpy: bool) -> int:
    first = section + (2 if is_numpy else 1)
    return next((_indent(line) for line in lines[first:] if line.strip()), 0)


def _continuation(lines: list[str], number: int, indent: int) -> Iterator[str]:
    """Yield the lines below an entry that are indented further."""
    for line in lines[number + 1 :]:
        if not line.strip() or _indent(line) <= indent:
            return
        yield line.strip()


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip())


def _shortened(text: str) -> str:
    """Return the first sentences of a text, as many as are short enough."""
    text = re.sub(r":\w+:`~?([^`]*)`|``([^`]*)``", r"`\1\2`", text)
    shown = ""
    for sentence in re.split(r"(?<=[.!]) +", text):
        if shown and len(shown) + len(sentence) > MOST_CHARACTERS:
            break
        shown = f"{shown} {sentence}".strip()
    return shown if len(shown) <= 2 * MOST_CHARACTERS else ""


def of_call(
    name: str, value: object, calls: list[ast.Call], message: str
) -> tuple[DocumentedParameter, ...]:
    """Return what docstrings say of the parameters that a message names, else of those given.

    Of a result that could not be unpacked they say what it is.

    `value` is what is called: a function, a class, or an object. A class in two calls is made and
    called at once.
    """
    said: dict[str, str] = {}
    texts = list(_docstrings(value, is_made_here=len(calls) > 1))
    if _UNPACKED.search(message):
        results = [result for text in texts if (result := result_in(text))]
        return tuple(DocumentedParameter(name, RESULT, result) for result in results[:1])
    for text in texts:
        said = parameters_in(text) | said
    named = [p for p in said if len(p) > 1 and re.search(rf"\b{re.escape(p)}\b", message)]
    positions = signatures.of_function(value) if len(calls) == 1 else ()
    given = {*positions[: len(calls[0].args)], *(k.arg for call in calls for k in call.keywords)}
    chosen = named or [p for p in said if p in given]
    return tuple(DocumentedParameter(name, p, said[p]) for p in chosen[:MOST_PARAMETERS])


def _docstrings(value: object, *, is_made_here: bool) -> Iterator[str]:
    """Yield the docstrings that describe what a call takes, the nearest first."""
    kind = type(value)
    if issubclass(kind, type):
        parts = [value, getattr(value, "__init__", None)]
        parts = [getattr(value, _CALL, None), *parts] if is_made_here else parts
    elif kind in _FUNCTIONS:
        parts = [value]
    else:
        parts = [getattr(kind, _CALL, None), kind]
    for part in parts:
        text = getattr(part, "__doc__", None)
        if isinstance(text, str) and len(text) <= MOST_TEXT:
            yield inspect.cleandoc(text)
