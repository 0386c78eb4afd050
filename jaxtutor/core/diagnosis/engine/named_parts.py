"""Reads which part of a value an exception is about: its path, and what it is.

JAX writes the path into many of its messages. Where it writes none, the worker has looked for the
part among the arguments of the call (`worker/failures/tree_parts`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Literal

from msgspec import Struct

from jaxtutor.core.data.failures import Failure, PassedPart
from jaxtutor.core.diagnosis.reading.names import last_part

Role = Literal["carried", "branch", "argument", "returned"]


class NamedPart(Struct, frozen=True):
    """A part of a value, and what it is there and elsewhere, in JAX's words: `float32[3]`.

    `owner` and `other_owner` are what it belongs to: the branches, or the function that returns it.
    """

    role: Role
    path: str
    said: str
    other: str = ""
    owner: str = ""
    other_owner: str = ""

    @property
    def keys(self) -> tuple[str, ...]:
        """The keys that follow the first name of the path: three in `x[1]['count'].a`."""
        return tuple(key.strip("[].'\"") for key in _KEY.findall(self.path))


_KEY = re.compile(r"\[[^\]]*\]|\.\w+")


_PATH = r"(?P<path>\S+?)"
_CARRIED = re.compile(
    rf"input carry(?: component| at path)? {_PATH} (?:has type|is) (?P<said>.+?) but the "
    r"corresponding (?:output carry component has type|component of the carry output is) "
    r"(?P<other>.+?), so"
)
_BRANCH_TYPES = re.compile(
    rf"output of (?P<owner>\S+(?: \d+)?) at path {_PATH} has type (?P<said>\S+) but the "
    r"corresponding output of (?P<other_owner>\S+(?: \d+)?) has type (?P<other>[^\s,]+(?:,\d+)*\]?)"
)
_BRANCH_PARTS = re.compile(
    rf"(?P<owner>\S+(?: \d+)?) output at path {_PATH} is (?P<said>.+?) but "
    r"(?P<other_owner>\S+(?: \d+)?) output at path \S+ is (?P<other>.+?), so"
)
_ARGUMENT = re.compile(
    r"value is of type (?P<said><class '[^']*'>) and was passed to the function at path "
    rf"{_PATH}\.?\s"
)
_REFUSED_ARGUMENT = re.compile(
    rf"Argument '{_PATH}' of shape \S+ of type (?P<said><class '[^']*'>) is not a valid JAX type"
)
_RETURNED = re.compile(
    r"function (?P<owner>\S+) at \S+ traced for [\w/ ]+ returned a value of type "
    rf"(?P<said><\w+ '[^']*'>) at output component {_PATH}, which"
)
_PATTERNS = (_CARRIED, _BRANCH_TYPES, _BRANCH_PARTS, _ARGUMENT, _REFUSED_ARGUMENT, _RETURNED)
_ROLES: dict[re.Pattern[str], Role] = {
    _CARRIED: "carried",
    _BRANCH_TYPES: "branch",
    _BRANCH_PARTS: "branch",
    _ARGUMENT: "argument",
    _REFUSED_ARGUMENT: "argument",
    _RETURNED: "returned",
}


def named_parts(message: str) -> Iterator[NamedPart]:
    """Yield the parts that a message of JAX names, in its order."""
    for pattern in _PATTERNS:
        for found in pattern.finditer(message):
            said = {name: text or "" for name, text in found.groupdict().items()}
            path = _IN_FORI.sub("carry", said.pop("path"))
            yield NamedPart(_ROLES[pattern], path, **said)


_IN_FORI = re.compile(r"^loop_carry\[1\]")
"""A `fori_loop` is a scan over the index and the learner's carry."""


def in_words(said: str) -> str:
    """Write what JAX says of a part in words: "a <class 'tuple'>" is a tuple."""
    type_name = _TYPE.fullmatch(said)
    if type_name is not None:
        name = last_part(type_name[1])
        return _WORDS.get(name) or f"a `{name}`"
    if "pytree leaf" in said:
        return "one array"
    counted = _COUNTED.match(said)
    if counted is not None:
        return f"a {last_part(counted[1])}{counted[2]}"
    return f"`{said}`" if _AVAL.fullmatch(said) else said


_TYPE = re.compile(r"(?:an? )?<\w+ '([^']*)'>")
_COUNTED = re.compile(r"an? <class '([^']*)'>( with \d+ child(?:ren)?)")
_AVAL = re.compile(r"\w+(?:<\w+>)?\[.*\]\S*")
_WORDS = {
    "NoneType": "None",
    "ShapedArray": "one array",
    "ArrayImpl": "one array",
    "function": "a function",
    "PjitFunction": "a function",
    "builtin_function_or_method": "a function",
    "method": "a function",
    "custom_jvp": "a function",
    "custom_vjp": "a function",
    "str": "a text",
    "tuple": "a tuple",
    "list": "a list",
    "dict": "a dict",
}


def lead(failure: Failure, summary: str, *, has_cause: bool) -> str:
    """Put the part that a failure is about in front of a summary that does not name it.

    A whole argument that was refused is named only where no cause is known: a cause says it itself.
    """
    first = summary.partition(". ")[0]
    named, passed = list(named_parts(failure.message)), failure.part
    said = ""
    if named and not any(_is_told(part, first) for part in named):
        said = _of_named(named[0])
    elif not named and passed is not None and f"`{passed.path}`" not in first:
        said = _of_passed(passed) if passed.is_inner or passed.other or not has_cause else ""
    return f"{said} {summary}" if said else summary


def _is_told(part: NamedPart, text: str) -> bool:
    """Return whether a text names a part, or the part is a whole value that needs no name."""
    if part.keys:
        last = part.keys[-1]
        return part.path in text or (f"`{last}`" in text and not last.isdigit())
    return part.role != "carried" or _AVAL.fullmatch(part.said) is None or part.said in text


def _of_named(part: NamedPart) -> str:
    path, said, other = part.path, in_words(part.said), in_words(part.other)
    match part.role:
        case "carried":
            return f"`{path}` goes into the loop as {said}, and comes out as {other}."
        case "branch":
            return (
                f"At `{path}` of the result, `{part.owner}` returns {said}, and"
                f" `{part.other_owner}` returns {other}."
            )
        case "returned":
            return f"`{part.owner}` returns {said}, at `{path}` of its result."
        case "argument":
            return f"`{path}` is {said}."


def _of_passed(part: PassedPart) -> str:
    if not part.other:
        return f"`{part.path}` is {part.said}."
    if not part.other_said:
        return f"`{part.path}` is {part.said}, and `{part.other}` has nothing there."
    return f"`{part.path}` is {part.said}, and `{part.other}` is {part.other_said}."
