"""Defines the questions that a lesson asks before coding, and parses their answers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated, Literal

from msgspec import Meta, Struct

Asks = Literal["shape", "dtype", "traces", "count"]
Text = Annotated[str, Meta(min_length=1)]

SAYS: Mapping[Asks, str] = {
    "shape": "What is the shape of `{of}`?",
    "dtype": "What is the dtype of `{of}`?",
    "traces": "Does `{of}` trace without an error?",
    "count": "How many times does the Python code of `{of}` run?",
}

FORMS: Mapping[Asks, str] = {
    "shape": "a shape such as (2, 3)",
    "dtype": "a dtype such as float32",
    "traces": "yes or no",
    "count": "a number",
}


class Question(Struct, frozen=True, forbid_unknown_fields=True):
    """A prediction about a program: about an expression, or about a function by its name.

    `answer` is the author's; the answer that counts comes from running the program.
    """

    asks: Asks
    code: Text
    of: Text
    answer: Text
    why: Text
    says: str = ""

    @property
    def sentence(self) -> str:
        """The question in words."""
        return self.says or SAYS[self.asks].format(of=self.of)


def read_answer(asks: Asks, text: str) -> str | None:
    """Normalise an answer so that answers can be compared; None if it cannot be parsed."""
    words = " ".join(text.lower().split()).strip("`'\". ")
    match asks:
        case "shape":
            return _read_shape(words)
        case "dtype":
            return _read_dtype(words)
        case "traces":
            return _YES_NO.get(words.partition(",")[0])
        case "count":
            return _COUNTS.get(words, str(int(words)) if re.fullmatch(_NUMBER, words) else None)


_YES_NO = {
    **dict.fromkeys(("yes", "y", "true", "it does", "it traces"), "yes"),
    **dict.fromkeys(("no", "n", "false", "it does not", "it raises"), "no"),
}
_COUNTS = {
    word: str(number)
    for number, words in enumerate(("never zero", "once one", "twice two", "three", "four", "five"))
    for word in words.split()
}
_NUMBER = r"\d{1,6}"
_SHAPE = r"[(\[]?\s*((?:\d+\s*(?:[,x ]\s*\d+\s*)*)?),?\s*[)\]]?"
_SHORT = {"f": "float", "i": "int", "u": "uint", "bf": "bfloat", "c": "complex", "s": "int"}
_DTYPE = r"(?:jnp\.|np\.|jax\.numpy\.)?([a-z]+)(\d*)(_\w+)?"


def _read_shape(words: str) -> str | None:
    if words in ("scalar", "a scalar"):
        return "()"
    found = re.fullmatch(_SHAPE, words)
    if not found or not words:
        return None
    numbers = re.findall(r"\d+", found[1])
    return f"({', '.join(numbers)}{',' * (len(numbers) == 1)})"


def _read_dtype(words: str) -> str | None:
    found = re.fullmatch(_DTYPE, words.removesuffix("_"))
    if not found:
        return None
    name = _SHORT.get(found[1], found[1]) if found[2] else found[1]
    known = ("bool", "int", "uint", "float", "bfloat", "complex", "key")
    return f"{name}{found[2]}{found[3] or ''}" if name in known else None
