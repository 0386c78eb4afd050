"""Tests that the guards around JAX's internals do not fire on the installed jax.

In production a guard degrades: a fact is not known. Here the same guard raises, so that a version
of jax that moved something is noticed.
"""

from __future__ import annotations

from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.internals import evaluation, moved, origins, places, tracing


@pytest.fixture(autouse=True)
def strict(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make every guard raise."""
    monkeypatch.setenv(moved.STRICT, "yes")


def is_own(file: str) -> bool:
    return file == __file__


def test_a_tracer_has_an_origin_and_a_place() -> None:
    """The chain from an argument to a tracer, and the frame that made it, are found."""
    seen: list[Any] = []

    @jax.jit
    def double(x: jax.Array) -> jax.Array:
        y = x * 2
        seen.append((origins.origin(y, is_own), origins.created_at(y, is_own)))
        seen.append(tracing.is_staging())
        return y

    double(jnp.ones(3))
    (steps, made), staging = seen
    assert ["x", "x * 2"] == [step.expression for step in steps]
    assert made is not None
    assert made.file == __file__
    assert staging


def test_evaluations_are_watched() -> None:
    """Every operation is seen while it is watched, and its place is known."""
    seen: list[str] = []

    def evaluate(original: Any, primitive: Any, args: Any, params: Any) -> Any:
        places.current_place(is_own)
        seen.append(primitive.name)
        return original()

    watch_single, undo_compiled = evaluation.watch_evaluation(evaluate)
    try:
        jnp.ones(2) + 1.0
    finally:
        watch_single(False)
        undo_compiled()
    assert seen


def test_operations_can_be_evaluated_during_a_trace() -> None:
    """A concrete value can be computed while a function is traced."""

    @jax.jit
    def f(x: jax.Array) -> jax.Array:
        with evaluation.evaluating():
            assert float(jnp.ones(()) + 1) == 2.0
        return x

    f(jnp.ones(2))


def test_the_line_of_an_equation_is_known() -> None:
    """An equation of a jaxpr names the line of the source that it came from."""
    closed = jax.make_jaxpr(lambda x: x + 1)(1.0)
    (equation,) = closed.jaxpr.eqns
    assert places.source_line(equation.source_info, __file__) is not None


def test_a_guard_degrades_without_the_variable(monkeypatch: pytest.MonkeyPatch) -> None:
    """What this jax does not give is unknown, and raises only where a test asks for it."""
    with pytest.raises(AttributeError):
        places.source_line(object(), __file__)
    monkeypatch.delenv(moved.STRICT)
    assert places.source_line(object(), __file__) is None
