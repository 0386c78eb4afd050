"""Loads a lesson's `checks.py` as the specification of its check."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import jax
import numpy as np

from jaxtutor.core.vocabulary import Call, Property
from jaxtutor.worker import course_modules, sources


@dataclass(frozen=True)
class Spec:
    """The requirements of a lesson, with its calls already constructed."""

    examples: tuple[Call, ...]
    hidden: tuple[Call, ...]
    properties: tuple[Property, ...]
    static: tuple[str, ...]
    jit: bool
    subject: Callable[[ModuleType], Callable[..., Any]]


def load(folder: str, function: str, seed: int) -> Spec:
    """Load `checks.py`. Exceptions are not caught: they are the lesson's fault."""
    course_modules.compile_from_source(folder)
    module = _execute(Path(folder) / "checks.py")
    hidden = getattr(module, "hidden", None)
    examples = make_calls(getattr(module, "EXAMPLES", ()))
    if not examples:
        raise ValueError("checks.py has no EXAMPLES")
    return Spec(
        examples=examples,
        hidden=tuple(map(to_device, hidden(np.random.default_rng(seed)))) if hidden else (),
        properties=tuple(getattr(module, "PROPERTIES", ())),
        static=tuple(getattr(module, "STATIC", ())),
        jit=getattr(module, "JIT", True),
        subject=getattr(module, "subject", lambda learner: getattr(learner, function)),
    )


def _execute(path: Path) -> ModuleType:
    """Run `checks.py` without Python's import cache and without writing bytecode."""
    source = path.read_text(encoding="utf-8")
    module = ModuleType("jaxtutor_lesson_checks")
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    sources.keep(str(path), source)
    exec(compile(source, str(path), "exec", dont_inherit=True), module.__dict__)
    return module


def make_calls(calls: Sequence[Call] | Callable[[], Sequence[Call]]) -> tuple[Call, ...]:
    """Return the calls of a property or of the examples, which a function may construct."""
    return tuple(map(to_device, _iterate(calls)))


def _iterate(calls: Any) -> Iterator[Call]:
    yield from calls() if callable(calls) else calls


def to_device(call: Call) -> Call:
    """Turn the numpy arrays of a call into jax arrays, so that lessons need not."""
    args, kwargs = jax.tree.map(
        lambda leaf: jax.device_put(leaf) if isinstance(leaf, np.ndarray) else leaf,
        (call.args, call.kwargs),
        is_leaf=lambda leaf: leaf is None,
    )
    moved = Call(*args, **kwargs).when(call.reason)
    return moved if call.stated is None else moved.gives(call.stated)


def to_answer(stated: Any) -> Any:
    """Turn the lists of numbers in a stated answer into arrays."""
    return jax.tree.map(
        lambda leaf: np.asarray(leaf) if _holds_numbers(leaf) else leaf,
        stated,
        is_leaf=_holds_numbers,
    )


def _holds_numbers(value: Any) -> bool:
    while isinstance(value, list) and value:
        value = value[0]
        if isinstance(value, int | float | complex):
            return True
    return False
