"""Defines traced programs as data, for a clean process to run."""

from __future__ import annotations

from msgspec import Struct

from jaxtutor.core.data.values import ArrayValue


class LoweredProgram(Struct, frozen=True):
    """A traced function as StableHLO; `ins` and `outs` are the types of its flat arrays.

    `kept` are the places of the inputs that the code reads. Typed keys are their numbers.
    """

    code: bytes
    kept: tuple[int, ...]
    ins: tuple[ArrayValue, ...]
    outs: tuple[ArrayValue, ...]


class AnswerPlace(Struct, frozen=True):
    """Where in a check an answer belongs: the call or the program `number` of one part of it.

    `part` is CASES for the examples and the hidden calls, otherwise the place of a property.
    """

    part: int
    number: int


CASES, FRESH = -1, -2
"""Parts of a check: its calls, and hidden calls from a seed that the submission never has."""


class ProgramUse(Struct, frozen=True):
    """The program that gives an answer, by its number, and which leaves of the call it takes."""

    place: AnswerPlace
    program: int
    takes: tuple[int, ...]


class ExportedPrograms(Struct, frozen=True, tag="exported"):
    """The programs of a submission. `missing` says why a place has none."""

    programs: tuple[LoweredProgram, ...] = ()
    uses: tuple[ProgramUse, ...] = ()
    missing: tuple[tuple[AnswerPlace, str], ...] = ()
