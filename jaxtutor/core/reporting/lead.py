"""Chooses what a verdict says first: what is wrong, and what to do, in one sentence each.

The text of a cause explains in its first sentences and gives instructions in the next ones. Where
few rows are visible, the instruction comes first, and the other sentences follow further below.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from msgspec import Struct

from jaxtutor.core.data.diagnoses import Diagnosis
from jaxtutor.core.data.verdicts import CheckResult, Verdict

_INSTRUCTS = frozenset(
    """Add Assign Bring Build Call Carry Cast Change Check Choose Collect Compare Compute Convert
    Declare Define Do Drop For Give If Import Iterate Keep Leave Look Make Mark Move Name Number Pad
    Pass Place Put Read Rebind Reduce Register Remove Reorder Replace Return Say Set So Split Stack
    Start Swap Take Test To Turn Use Wrap Write""".split()
)
"""Words with which a sentence of advice begins if it says what to do."""
_CLAUSE = re.compile(r"[;:] ")
_CODE = re.compile(r"`[^`]+`")
_WORD = re.compile(r"[A-Za-z_]{4,}")
REPEATED = 0.5
"""The share of a sentence's words in another sentence from which it says the same again."""


class Lead(Struct, frozen=True):
    """The first sentences of a verdict, and those that follow further below."""

    problem: str
    remedy: str = ""
    rest: tuple[str, ...] = ()


def lead_of_diagnosis(diagnosis: Diagnosis) -> Lead:
    """Return the lead of a diagnosis or a finding."""
    explanation, remedy, more = split_advice(diagnosis.advice)
    new = (one for one in explanation if not _repeats(one, diagnosis.summary))
    newer = (one for one in more if _instructs(one) or not _repeats(one, diagnosis.summary))
    return Lead(diagnosis.summary, remedy, (*new, *newer))


def failed_check(verdict: Verdict) -> CheckResult | None:
    """Return the check that failed, if one did."""
    return next((check for check in verdict.checks if check.status == "failed"), None)


def split_advice(advice: str) -> tuple[tuple[str, ...], str, tuple[str, ...]]:
    """Split advice into its explanation, the sentence that says what to do, and the rest."""
    sentences = split_sentences(advice)
    if not sentences:
        return (), "", ()
    instructions = (n for n, one in enumerate(sentences) if _instructs(one))
    place = next(instructions, min(1, len(sentences) - 1))
    return tuple(sentences[:place]), sentences[place], tuple(sentences[place + 1 :])


def _instructs(sentence: str) -> bool:
    """Return whether a sentence, or what follows a colon in it, begins with an instruction."""
    begins = [sentence.partition(" ")[0], *re.findall(r": ([a-z]+)", sentence)]
    return any(word.capitalize() in _INSTRUCTS for word in begins)


def split_sentences(text: str) -> list[str]:
    """Split a text into sentences; a full stop inside code or before a small letter is none."""
    ends = (
        match.end()
        for match in re.finditer(r"[.?!](?= +[A-Z`])", text)
        if not _is_inside(text[: match.end()])
    )
    bounds = [0, *ends, len(text)]
    pieces = (text[start:end].strip() for start, end in pairwise(bounds))
    return [piece for piece in pieces if piece]


def shorten(text: str) -> Iterator[str]:
    """Yield shorter forms of a text: its first sentence, and the first main clause of that."""
    sentences = split_sentences(text)
    first = sentences[0] if sentences else ""
    if len(sentences) > 1:
        yield first
    clauses = (first[: match.start()] for match in _CLAUSE.finditer(first))
    clause = next((one for one in clauses if not _is_inside(one)), "")
    if clause:
        yield f"{clause}."


def _is_inside(before: str) -> bool:
    """Return whether a position is inside code or parentheses, given the text before it."""
    return before.count("`") % 2 == 1 or before.count("(") > before.count(")")


def _repeats(sentence: str, said: str) -> bool:
    """Return whether a sentence is about the same code as another, or has hardly a new word."""
    code = _CODE.match(sentence)
    if code and _CODE.match(said) and said.startswith(code[0]):
        return True
    words = {word.lower() for word in _WORD.findall(sentence)}
    return len(words & {word.lower() for word in _WORD.findall(said)}) >= REPEATED * len(words)
