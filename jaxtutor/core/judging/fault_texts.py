"""Says what is wrong with a submission, for each kind of fact."""

from __future__ import annotations

import re
from math import prod

from msgspec.structs import replace

from jaxtutor.core.data.facts import (
    Broke,
    Contradicted,
    FunctionProblem,
    MissingFunction,
    NotCallable,
    Outcome,
    Peeked,
    Replaced,
    TraceFacts,
    WrongSignature,
)
from jaxtutor.core.data.failures import Failure
from jaxtutor.core.data.verdicts import CaseResult
from jaxtutor.core.judging.jaxprs import largest
from jaxtutor.core.judging.outcomes import pick

TAMPERED = "The file stands on its own."
"""The sentence of the check that fails when a submission replaces or reads what it must not."""

CRASHES = ("SIGSEGV", "SIGABRT", "SIGBUS", "SIGFPE", "SIGILL")
"""How the detail of an end by a fault of compiled code ends."""

SAYS = {
    "import": "The file runs.",
    "foul": TAMPERED,
    "jaxpr": "JAX can list its operations (jax.make_jaxpr).",
    "host": "It computes with JAX, not in Python on the host.",
    "values": "The answers are right.",
    "leaks": "No tracer is left behind.",
}
"""The sentences of the stages; those of the properties are in the vocabulary."""


def stage_says(name: str, function: str, jits: bool) -> str:
    """Return the sentence of a stage: what holds if it passes."""
    if name == "function":
        return f"{function} is defined and accepts the arguments."
    if name == "jit":
        return "It runs under jax.jit." if jits else "It runs."
    return SAYS[name]


def wrong_text(case: CaseResult, cases: tuple[CaseResult, ...]) -> str:
    """Describe a wrong answer, and how many of the calls return one."""
    count = sum(not other.passed and other.actual is not None for other in cases)
    several = f"{count} of {len(cases)} calls return a wrong answer; for" if count > 1 else "for"
    return f"{several} {case.inputs}: {case.problem}"


def function_text(problem: FunctionProblem) -> str:
    """Say why the function of the lesson cannot be called."""
    match problem:
        case MissingFunction(name, defined):
            listed = ", ".join(f"`{it}`" for it in defined)
            return f"`{name}` is not defined" + (f"; the file defines {listed}" if listed else "")
        case NotCallable(made_by, returned):
            return f"`{made_by}` returns {returned}, which cannot be called"
        case WrongSignature(signature, reason):
            return f"`{signature}` does not accept the arguments: {reason}"


def foul_text(outcome: Outcome) -> str:
    """Say why nothing that was measured shows what the submission itself can do, if so."""
    if pick(outcome, Peeked):
        return "it opens the lesson's solution"
    for found in pick(outcome, Contradicted):
        return (
            "what it reported is not what its program returns in a process of its own: "
            + found.says
        )
    names = [name for event in pick(outcome, Replaced) for name in event.names]
    return _replaced_text(names) if names else ""


HOST = (
    "it calls Python on the host through jax.pure_callback, which JAX cannot compile, batch or "
    "differentiate; compute it with JAX's own operations"
)


UNMEASURED_TITLE = "It cannot be run by another process"
UNMEASURED = (
    "its answers must come from a program that another process can run, as those of the solution "
    "do: "
)


def _replaced_text(names: list[str]) -> str:
    plain_first = sorted(names, key=lambda name: "__" in name)
    listed = [f"`{name}`" for name in plain_first[:3]]
    listed += [f"{len(names) - 3} more names"] if len(names) > 3 else []
    which = listed[0] if len(listed) == 1 else f"{', '.join(listed[:-1])} and {listed[-1]}"
    return f"it replaces {which}, which JAX and this check rely on: do not assign to it"


_CHECK_PLACE = re.compile(r"(?<=\s)\S*[/\\]checks\.py:\d+")


def without_check_paths(failure: Failure) -> Failure:
    """Name the lesson's check in JAX's message, in place of its file, which the learner has not."""
    return replace(failure, message=_CHECK_PLACE.sub("the lesson's check", failure.message))


def raised_text(failure: Failure) -> str:
    """Say what was raised, in one line."""
    first = without_check_paths(failure).message.partition("\n")[0]
    return f"{failure.error_class}: {first}" if first else failure.error_class


def end_text(outcome: Outcome, seconds: float, memory: int) -> str:
    """Say why the process ended; the limits are in seconds and MiB."""
    for broke in pick(outcome, Broke):
        return f"the check could not go on: {broke.says}"
    match outcome.end:
        case "timed_out":
            return f"it was still running after {seconds:g} s"
        case "out_of_memory":
            return f"it needed more than {memory} MiB of memory"
        case "crashed":
            return f"its process ended: {outcome.end_detail}{_crash_text(outcome, memory)}"
    return "it did not get that far"


def _crash_text(outcome: Outcome, memory: int) -> str:
    """Say what may be behind a crash of compiled code, and what to do; empty for another end."""
    if not outcome.end_detail.endswith(CRASHES):
        return ""
    for facts in pick(outcome, TraceFacts):
        var = largest(facts.jaxpr)
        if var is not None and prod(var.shape) > memory << 20:
            shape = ",".join(map(str, var.shape))
            return (
                f"; its program has an array {var.dtype}[{shape}] of {prod(var.shape):,} elements, "
                "more than fit in memory: map over fewer axes, or sum over one before the next"
            )
    return (
        "; compiled code crashed, as XLA may for arrays that are too large: try smaller ones, and "
        "parts of the function by themselves"
    )
