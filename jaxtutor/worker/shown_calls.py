"""Compares the calls that a page shows with the lesson's `EXAMPLES` and its solution."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType
from typing import Any

import jax

from jaxtutor.core.data.requests import ProseRequest
from jaxtutor.core.data.shown import ShownLine, read_shown
from jaxtutor.core.judging.compare import compare_leaf
from jaxtutor.core.vocabulary import Call
from jaxtutor.worker import lesson, sources
from jaxtutor.worker.values import to_tree

CLOSE = (1e-3, 1e-3)
"""The tolerance, relative and absolute: a page rounds its answers to a few digits."""


class Contradiction(Exception):
    """What a page shows does not hold; the message says why."""


def compare(request: ProseRequest, source: str, first: int, names: dict[str, Any]) -> None:
    """Compare a shown block that begins at line `first` of the page.

    `names` are those of the page's earlier blocks. Raises Contradiction, or what a line raises.
    """
    solution = _load_solution(request.solution)
    spec = lesson.load(str(Path(request.file).parent), request.function, seed=0)
    checks = sys.modules["jaxtutor_lesson_checks"]
    calls: list[Call] = []
    function = getattr(solution, request.function)
    namespace = {"jax": jax, "jnp": jax.numpy, **vars(checks), **names, **vars(solution)}
    namespace[request.function] = _record(function, calls)
    lines = list(read_shown(source))
    ran = [_holds(line, first, namespace) for line in lines]
    shown = sum(line.is_call for line in lines)
    if shown != len(spec.examples):
        raise Contradiction(f"shows {shown} calls, and EXAMPLES has {len(spec.examples)}")
    if all(ran) and not hasattr(checks, "subject"):  # a subject may take other arguments
        _compare_arguments(function, calls, spec.examples)


def _load_solution(source: str) -> ModuleType:
    module = ModuleType("solution")
    module.__file__ = "solution.py"
    sys.modules["solution"] = module
    sources.keep("solution.py", source)
    exec(compile(source, "solution.py", "exec", dont_inherit=True), module.__dict__)
    return module


def _record(function: Callable[..., Any], calls: list[Call]) -> Callable[..., Any]:
    """Return the function; it records the arguments of its outermost calls."""
    inside = False

    def recorded(*args: Any, **kwargs: Any) -> Any:
        nonlocal inside
        if inside:
            return function(*args, **kwargs)
        calls.append(Call(*args, **kwargs))
        inside = True
        try:
            return function(*args, **kwargs)
        finally:
            inside = False

    return recorded


def _holds(line: ShownLine, first: int, namespace: dict[str, Any]) -> bool:
    """Run one line; return False if it uses a name that only the page's text explains."""
    try:
        if not line.is_call:
            exec(line.code, namespace)
            return True
        answer = eval(line.code, namespace)
    except NameError:
        return False
    place = f"shows at line {first + line.line - 1}"
    if line.has_answer and not _are_alike(line.answer, answer):
        raise Contradiction(f"{place} that {line.code} is {line.answer}; the solution's differs")
    return True


def _compare_arguments(
    function: Callable[..., Any], calls: list[Call], examples: tuple[Call, ...]
) -> None:
    signature = inspect.signature(function)

    def bound(call: Call) -> dict[str, Any]:
        found = signature.bind(*call.args, **call.kwargs)
        found.apply_defaults()
        return found.arguments

    for number, (call, example) in enumerate(zip(calls, examples, strict=False), 1):
        if not _are_alike(bound(call), bound(example)):
            raise Contradiction(f"does not show call {number} of EXAMPLES, but another one")


def _are_alike(expected: Any, actual: Any) -> bool:
    """Compare the leaves: a page may write a list for a tuple, or for an array."""
    wanted, got = list(_leaves(expected)), list(_leaves(actual))
    pairs = zip(wanted, got, strict=False)
    return len(wanted) == len(got) and not any(compare_leaf(*pair, CLOSE) for pair in pairs)


def _leaves(value: Any) -> Iterator[Any]:
    named = jax.tree.map(lambda it: "function" if callable(it) else it, value)
    yield from to_tree(_as_arrays(named)).leaves


def _as_arrays(value: Any) -> Any:
    """Turn lists of numbers into arrays; of lists of different lengths, each."""
    try:
        return lesson.to_answer(value)
    except ValueError:
        return [_as_arrays(item) for item in value]
