"""Reads the class and the message of an exception from plain lines."""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence

from msgspec import Struct

from jaxtutor.core.diagnosis.engine.index import INDEX
from jaxtutor.core.diagnosis.logs.frames import frame_at
from jaxtutor.core.diagnosis.logs.plain import END_OF_QUOTATION, FENCES
from jaxtutor.core.diagnosis.reading.names import last_part


class QuotedException(Struct, frozen=True):
    """An exception as a text shows it: the dotted path of its class, and the whole message."""

    path: str
    message: str = ""
    precedes_frames: bool = False

    @property
    def name(self) -> str:
        """The name of the class."""
        return last_part(self.path)


_PATH = r"(?:[A-Za-z_]\w*\.)*(?:[A-Za-z_]\w*\.<locals>\.)*[A-Z]\w*"
_LINE = re.compile(rf"^(?P<markup>[#*_`\s]*)(?P<path>{_PATH})[*`]*(?::[*`]*(?:\s+(?P<said>.*))?|)$")
_NAMED = re.compile(
    r"(?:Error|Exception|Warning|Interrupt|Exit|StackTrace|Traceback|NotFound|Deleted|Mismatch"
    r"|Incompatible|Violation|Failure|Timeout)$"
)
_BUILTIN = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_KNOWN = _BUILTIN | {last_part(path) for entry in INDEX for path in entry.classes}
_WRAPPERS = frozenset(
    {"FilteredStackTrace", "UnfilteredStackTrace", "JaxStackTraceBeforeTransformation"}
)
"""What JAX 0.2 to 0.4 put before the class: the same exception with fewer or with more frames."""
SIMPLIFIED = "SimplifiedTraceback"
"""What JAX 0.4 raises an exception from, to say that frames are left out."""


def exception_at(
    lines: Sequence[str], at: int, *, is_after_frames: bool = False
) -> tuple[QuotedException, int] | None:
    """Read an exception that begins at a line, and return the index of the first line after it.

    Below frames a class of any name counts, and elsewhere one that is named like an exception.

    >>> found, end = exception_at(["jax.errors.JaxIndexError: no", "such index"], 0)
    >>> found.name, found.message, end
    ('JaxIndexError', 'no\\nsuch index', 2)
    """
    debugged = _DEBUGGED.match(lines[at])
    if debugged is not None:
        message, end = _message(lines, at + 1, "")
        return QuotedException(debugged[1], message.strip("*."), precedes_frames=True), end
    found = _LINE.match(lines[at])
    if found is None or not (is_class(found["path"]) or (is_after_frames and not found["markup"])):
        return None
    if last_part(found["path"]) == SIMPLIFIED:
        return QuotedException(found["path"]), _end_of_note(lines, at)
    mark, said = found["markup"].strip(" #"), found["said"] or ""
    if mark and said.endswith(mark):  # a sentence of Markdown that has the exception alone
        return _inner(QuotedException(found["path"].lstrip("_"), said.removesuffix(mark))), at + 1
    message, end = _message(lines, at + 1, said)
    return _inner(QuotedException(found["path"].lstrip("_"), message)), end


_DEBUGGED = re.compile(r"^Exception has occurred: ([\w.]+)")
"""How the debugger of VS Code begins, which shows the frames below the message."""


def is_class(path: str) -> bool:
    """Return whether a dotted path is named like the class of an exception."""
    name = last_part(path).lstrip("_")
    return name in _KNOWN or _NAMED.search(name) is not None


def _inner(found: QuotedException) -> QuotedException:
    """Return the exception that a wrapper of JAX names: `FilteredStackTrace: TypeError: no`."""
    if found.name not in _WRAPPERS:
        return found
    first, _, rest = found.message.partition("\n")
    inner = _LINE.match(first)
    if inner is None:
        return found
    return QuotedException(inner["path"], "\n".join([inner["said"] or "", rest]).strip())


def _end_of_note(lines: Sequence[str], at: int) -> int:
    """Return the index behind JAX's note that frames are left out, which a mail may have broken."""
    note = range(at, min(len(lines), at + 5))
    return next((index + 1 for index in note if lines[index].endswith("to include these.")), at + 1)


# ---------------------------------------------------------------- prose

_MENTIONED = re.compile(
    r"\b(?P<path>(?:\w+\.)*\w+(?:Error|Exception|StackTrace))[*`_]*:[*`_]*\s+(?P<said>\S.*)"
)


def mentioned(lines: Sequence[str]) -> QuotedException | None:
    """Return the last exception that a text mentions within its sentences.

    A message without a class counts if Python or a page says which class has it.

    >>> mentioned(["when I run it I get `module 'jax' has no attribute 'mask'`"]).name
    'AttributeError'
    """
    for index in range(len(lines) - 1, -1, -1):
        line = lines[index]
        found = _MENTIONED.search(line)
        if found is not None:
            message, _ = _message(lines, index + 1, found["said"].strip("*`_"))
            return _inner(QuotedException(found["path"], message))
        named = next((name for said, name in _CLASS_OF.items() if re.search(said, line)), None)
        if named is not None:
            return QuotedException(named, line.strip(" *`_"))
    return None


_CLASS_OF = {
    r"module '[\w.]+' has no attribute '\w+'": "AttributeError",
    r"cannot import name '\w+' from": "ImportError",
    r"No module named '[\w.]+'": "ModuleNotFoundError",
    **{entry.alone: entry.classes[0] for entry in INDEX if entry.alone},
}
"""The classes of messages that have one class only, or that a page explains."""


# ---------------------------------------------------------------- the message

MOST_LINES = 200
NESTED = "Traceback (most recent call last):"
LINKS = ("The above exception was the direct cause", "During handling of the above exception")
"""How Python and IPython join an exception with the one that it was raised from."""
_ENDS = re.compile(
    "|".join(
        (
            r"(?:\S+\s{2,})?Traceback \(most recent call last\)|Exception has occurred: ",
            *LINKS,
            r"The stack trace (?:above|below) excludes|The (?:preceding|following) is the original",
            r"For simplicity, JAX has removed",
            r"={5}|_{3,}|_ _ _|\S+\.py:\d+: \w+$",  # pytest
            r"╭",  # rich
            *FENCES,
            END_OF_QUOTATION,
            r"</?(?:details|summary|pre|code)\b",
            r">>> |In \[\d+\]|\$ |\(\w+\) \S+@",  # prompts
            r"make: \*{3}|Process finished with|Set the environment variable HYDRA",
        )
    )
)
"""Lines that do not belong to the message above them."""
_RULE = re.compile(r"^-{10,}$")


def _message(lines: Sequence[str], at: int, first: str) -> tuple[str, int]:
    """Return the message of an exception, of all its paragraphs, and the index behind it.

    Frames that the message announces with a colon belong to it, and a block of Markdown that
    begins in it. A fence that closes a block from before ends the message.
    """
    found = [first]
    is_nested = first.endswith(NESTED)
    is_fenced = sum(line.startswith(FENCES) for line in lines[:at]) % 2 == 1
    is_in_block = False
    for index in range(at, min(len(lines), at + MOST_LINES)):
        line = lines[index]
        is_announced = found[-1].endswith(":") and line.startswith((NESTED, '  File "'))
        is_nested = is_nested or is_announced or line.endswith(NESTED, 1)
        if line.startswith(FENCES) and not is_fenced:
            is_in_block = not is_in_block
        elif not is_announced and not is_in_block and _ends_message(lines, index, is_nested):
            return "\n".join(found).strip(), index
        found.append(line)
    return "\n".join(found).strip(), min(len(lines), at + MOST_LINES)


def _ends_message(lines: Sequence[str], at: int, is_nested: bool) -> bool:
    """Return whether a line begins something else; the frames of a nested traceback do not."""
    line = lines[at]
    if _RULE.match(line):
        below = next((text for text in lines[at + 1 :] if text.strip()), "Traceback (most")
        return _ENDS.match(below) is not None
    if _ENDS.match(line):
        return True
    return not is_nested and frame_at(lines, at) is not None
