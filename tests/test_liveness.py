"""Tests which results of a program count as read."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.watching.liveness import Liveness, stacks_for_last
from jaxtutor.worker.watching.unread_values import UnreadValues

Function = Callable[..., Any]
NUMBER = jax.ShapeDtypeStruct((), jnp.float32)


def host(x: Any) -> Any:
    """Call the host with a number."""
    return jax.pure_callback(lambda v: v, NUMBER, x)


def program(function: Function, *args: Any) -> Any:
    """Return the program of a function."""
    return jax.make_jaxpr(function)(*args).jaxpr


def in_scan(x: Any, is_read: bool) -> Any:
    """Call the host in each round of a scan."""
    return jax.lax.scan(lambda c, _: (c + host(c) * is_read, host(c + 1)), x, None, length=3)


@pytest.mark.parametrize(
    ("function", "count"),
    [
        (lambda x: (host(x), x + 1)[1], 1),
        (lambda x: jax.jit(lambda y: (host(y), y))(x)[1], 1),
        (lambda x: in_scan(x, True)[0], 1),
        (lambda x: jax.lax.cond(x > 0, lambda v: (host(v), v), lambda v: (v, v), x)[1], 1),
        (lambda x: (jax.lax.cond(x > 0, host, lambda v: v, x), x)[1], 1),
        (lambda x: x + host(x), 0),
        (lambda x: in_scan(x, True), 0),
        (lambda x: jax.lax.while_loop(lambda v: host(v) < 3, lambda v: v + 1, x), 0),
        (lambda x: (jax.debug.callback(print, host(x)), x)[1], 0),
        (lambda x: [jax.jit(host)(x), jax.jit(host)(x)][0], 0),
    ],
)
def test_callbacks_that_nothing_reads_are_found(function: Function, count: int) -> None:
    """A call of the host counts as read if a result or an effect depends on it, anywhere."""
    jaxpr = program(function, jnp.float32(1.0))
    assert count == len(list(Liveness(jaxpr).unread_callbacks()))


def test_a_value_that_a_scan_carries_for_another_is_read() -> None:
    """A carried value counts as read if a later round computes a read one from it."""

    def rounds(a: Any, b: Any, c: Any) -> Any:
        def body(carry: Any, _: Any) -> Any:
            a, b, c = carry
            return (a + b, b + 1, c + 1), None

        return jax.lax.scan(body, (a, b, c), None, length=3)[0][0]

    jaxpr = program(rounds, *map(jnp.float32, (1, 2, 3)))
    assert [True, True, False] == Liveness(jaxpr).inputs


def history(x: Any, length: int = 1000, reverse: bool = False) -> Any:
    """Stack an array of 20 kB in each round."""
    return jax.lax.scan(lambda c, _: (c + 1, c), x, None, length=length, reverse=reverse)[1]


def last_and_all(x: Any) -> Any:
    """Read the last entry and return the stack too."""
    stack = history(x)
    return stack[-1], stack


@pytest.mark.parametrize(
    ("function", "found"),
    [
        (lambda x: history(x)[-1], [False]),
        (lambda x: jax.jit(history)(x)[-1], [False]),
        (lambda x: jax.jit(lambda h: h[999])(history(x)), [False]),
        (lambda x: history(x, reverse=True)[0], [False]),
        (history, [True]),
        (lambda x: history(x)[0], []),
        (lambda x: history(x, reverse=True)[-1], []),
        (lambda x: history(x, length=500)[-1], []),
        (lambda x: (history(x)[-1], history(x)), [False, True]),
        (last_and_all, []),
        (lambda x: history(x)[-2:].sum(0), []),
        (lambda x: history(x).mean(0), []),
    ],
)
def test_stacks_that_are_read_for_their_last_entry_are_found(
    function: Function, found: list[bool]
) -> None:
    """A stack of 16 MB or more of which nothing but the last round is read, or nothing here."""
    stacks = stacks_for_last(program(function, jnp.zeros(5000)))
    assert found == [stack.is_returned for stack in stacks]


def unread_names(*functions: Function) -> list[str]:
    """Return the variables that no result of the functions' programs depends on."""
    unread = UnreadValues(lambda file: file == __file__)
    for function in functions:
        jaxpr = program(function, jnp.ones(3))
        unread.look(jaxpr, Liveness(jaxpr))
    return [seen.name for seen in unread.observations()]


def penalized(x: Any) -> Any:
    """Compute a penalty, and leave it out."""
    error = (x - 1).sum()
    penalty = (x**2).sum()  # noqa: F841
    return error


def error_and_size(x: Any) -> Any:
    """Return two values."""
    size = (x**2).sum()
    return (x - 1).sum(), size


def error_alone(x: Any) -> Any:
    """Read one of two values."""
    return jax.jit(error_and_size)(x)[0]


def noisy(x: Any) -> Any:
    """Compute in each round of a scan what is not carried."""

    def body(carry: Any, _: Any) -> Any:
        noise = carry * 0.1  # noqa: F841
        carry = carry + 1
        return carry, None

    return jax.lax.scan(body, x, None, length=3)[0]


def test_a_variable_is_unread_if_no_program_of_the_run_reads_it() -> None:
    """A value that one program leaves out and another reads is read; inside of loops too."""
    assert unread_names(penalized) == ["penalty"]
    assert unread_names(jax.grad(penalized)) == ["penalty"]
    assert unread_names(noisy) == ["noise"]
    assert unread_names(error_alone) == ["size"]
    assert unread_names(error_alone, error_and_size) == []
    assert unread_names(error_and_size, error_alone) == []


def test_an_effect_reads_what_it_is_given() -> None:
    """A value that is only printed by the program counts as read."""

    def printed(x: Any) -> Any:
        largest = x.max()
        jax.debug.print("{}", largest)
        return x

    assert unread_names(printed) == []
