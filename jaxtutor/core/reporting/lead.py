"""Chooses what a verdict says first: what is wrong, and what to do, in one row each.

The text of a cause explains in its first sentences and gives instructions in the next ones. Where
few rows are visible, the instruction comes first, and what does not fit follows further below.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
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
_CLAUSE = re.compile(r"[;:,] | (?=or |and |so that |instead of |which |because )")
_CODE = re.compile(r"`[^`]+`")
_WORD = re.compile(r"[A-Za-z_]{4,}")
REPEATED = 0.5
"""The share of a sentence's words in another sentence from which it says the same again."""
SHORTEST = 0.4
"""The share of a row that a clause must fill; otherwise the sentence is cut between two words."""
GAP = "…"


class Lead(Struct, frozen=True):
    """The first two rows of a verdict, and the sentences that follow further below."""

    problem: str
    remedy: str = ""
    rest: tuple[str, ...] = ()


def lead_of_diagnosis(diagnosis: Diagnosis) -> Lead:
    """Return the lead of a diagnosis or a finding."""
    explanation, remedy, more = split_advice(diagnosis.advice)
    rest = tuple(one for one in explanation if not _repeats(one, diagnosis.summary))
    return Lead(diagnosis.summary, remedy, (*rest, more) if more else rest)


def failed_check(verdict: Verdict) -> CheckResult | None:
    """Return the check that failed, if one did."""
    return next((check for check in verdict.checks if check.status == "failed"), None)


def split_advice(advice: str) -> tuple[tuple[str, ...], str, str]:
    """Split advice into its explanation, the sentence that says what to do, and the rest."""
    sentences = split_sentences(advice)
    if not sentences:
        return (), "", ""
    instructions = (n for n, one in enumerate(sentences) if _instructs(one))
    place = next(instructions, min(1, len(sentences) - 1))
    return tuple(sentences[:place]), sentences[place], " ".join(sentences[place + 1 :])


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


def cut(text: str, room: int, measure: Callable[[str], int]) -> tuple[str, str]:
    """Cut a text to one row, after a sentence or a clause; return the row and what is left.

    `measure` returns the cells that a text needs. What is left continues where the row ends.
    """
    if measure(text) <= room:
        return text, ""
    sentences = split_sentences(text)
    whole = [" ".join(sentences[:count]) for count in range(len(sentences) - 1, 0, -1)]
    for piece in whole:
        if measure(piece) <= room:
            return piece, text[len(piece) :].strip()
    for ends, least in ((_clause_ends(text), SHORTEST * room), (_word_ends(text), 0)):
        fitting = [end for end in ends if measure(f"{text[:end].rstrip()} {GAP}") <= room]
        if fitting and measure(text[: fitting[-1]]) >= least:
            head, tail = text[: fitting[-1]].rstrip(), text[fitting[-1] :].lstrip()
            return f"{head} {GAP}", f"{GAP} {tail}"
    return text, ""


def _clause_ends(text: str) -> Iterator[int]:
    ends = (match.end() for match in _CLAUSE.finditer(text))
    return (end for end in ends if not _is_inside(text[:end]))


def _word_ends(text: str) -> Iterator[int]:
    ends = (match.end() for match in re.finditer(" ", text))
    return (end for end in ends if text[:end].count("`") % 2 == 0)


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
