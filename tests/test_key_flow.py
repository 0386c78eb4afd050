"""Tests the walk that follows random keys through compiled programs, and through their calls."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import jax
import jax.numpy as jnp
import pytest

from jaxtutor.worker.watching.key_flow import KeyFlow
from jaxtutor.worker.watching.repeated_calls import RepeatedCalls

Function = Callable[..., Any]
KEYS = pytest.mark.parametrize(
    "key", [jax.random.key(0), jax.random.PRNGKey(0)], ids=["typed", "raw"]
)
X = jnp.ones(3)


def flow_of(function: Function, *args: Any) -> KeyFlow:
    """Return the uses of keys in the program of a function."""
    return KeyFlow(jax.make_jaxpr(function)(*args))


@jax.jit
def drawn_after_split(key: Any, x: Any) -> Any:
    """Draw from a part of a key."""
    _, sub = jax.random.split(key)
    return x + jax.random.normal(sub, x.shape)


def in_nested_jit(key: Any, x: Any) -> Any:
    """Draw from a key, and split it in a compiled function."""
    return drawn_after_split(key, x * jax.random.uniform(key))


def in_a_scan(key: Any, x: Any) -> Any:
    """Use a part of a key twice in each round."""

    def body(carry: Any, _: Any) -> Any:
        x, key = carry
        key, sub = jax.random.split(key)
        return (in_nested_jit(sub, x), key), None

    return jax.lax.scan(body, (x, key), None, length=3)


def in_a_branch_and_after(key: Any, x: Any) -> Any:
    """Draw in a branch, and again after it."""
    y = jax.lax.cond(x[0] > 0, jax.random.normal, lambda _: 0.0, key)
    return y + jax.random.normal(key)


def from_one_element(key: Any, x: Any) -> Any:
    """Draw twice from one of several keys."""
    keys = jax.random.split(key, 3)
    return x + jax.random.normal(keys[1]) + jax.nn.relu(jax.random.uniform(keys[1]))


def from_equal_folds(key: Any, x: Any) -> Any:
    """Draw from two keys that were made with the same number."""
    first, second = jax.random.fold_in(key, 1), jax.random.fold_in(key, 1)
    return x + jax.random.normal(first) - jax.random.normal(second)


def in_the_next_round(key: Any, x: Any) -> Any:
    """Return a key that was drawn from, so that the next round uses it again."""

    def body(key: Any, _: Any) -> Any:
        _, sub = jax.random.split(key)
        return sub, jax.random.normal(sub)

    return jax.lax.scan(body, key, None, length=3)


def in_checkpoint_and_custom_rule(key: Any, x: Any) -> Any:
    """Draw in a function with a rule for its gradient, and in one that is computed again."""

    @jax.custom_jvp
    def ruled(x: Any) -> Any:
        return x * jax.random.normal(key)

    ruled.defjvps(lambda t, out, x: t * x)
    return jax.checkpoint(lambda x: x * jax.random.normal(key))(ruled(x))


@KEYS
@pytest.mark.parametrize(
    "function",
    [
        in_nested_jit,
        in_a_scan,
        in_a_branch_and_after,
        from_one_element,
        from_equal_folds,
        in_the_next_round,
        in_checkpoint_and_custom_rule,
    ],
)
def test_a_key_that_is_used_twice_is_found(function: Function, key: Any) -> None:
    """Two uses of one key are a pair, through calls, branches, rounds and rules."""
    assert len(flow_of(function, key, X).pairs) == 1


def one_branch_each(key: Any, x: Any) -> Any:
    """Draw in each of two branches."""
    return jax.lax.cond(x[0] > 0, jax.random.normal, jax.random.uniform, key)


def from_other_elements(key: Any, x: Any) -> Any:
    """Draw from each of several keys."""
    keys = jax.random.split(key, 4)
    mapped = jax.vmap(jax.random.normal)(keys[2:])
    return mapped + jax.random.normal(keys[0]) + jax.random.normal(keys[1])


def from_other_folds(key: Any, x: Any) -> Any:
    """Draw in each round from a key of its own."""

    def body(n: Any, x: Any) -> Any:
        return x + jax.random.normal(jax.random.fold_in(key, n))

    return jax.lax.fori_loop(0, 3, body, x)


def in_a_backward_pass(key: Any, x: Any) -> Any:
    """Differentiate a draw that is computed again."""

    def loss(x: Any) -> Any:
        return jnp.sum(jnp.sin(x) * jax.random.normal(key, x.shape))

    return jax.grad(jax.checkpoint(loss))(x)


def from_a_seed(key: Any, x: Any) -> Any:
    """Draw the same constants in each round, beside numbers of the key."""

    def body(x: Any, sub: Any) -> Any:
        basis = jax.random.normal(jax.random.key(7), x.shape)
        return x + basis * jax.random.normal(sub), None

    return jax.lax.scan(body, x, jax.random.split(key, 3))


@KEYS
@pytest.mark.parametrize(
    "function",
    [one_branch_each, from_other_elements, from_other_folds, in_a_backward_pass, from_a_seed],
)
def test_keys_that_are_used_once_are_no_pairs(function: Function, key: Any) -> None:
    """A draw in one branch, from another element, or repeated for a gradient is a first use."""
    flow = flow_of(function, key, X)

    assert not flow.pairs
    assert not any(it.is_same for it in flow.in_loops)


def test_a_key_that_a_loop_carries_on_unchanged_is_the_same_in_each_round() -> None:
    """A key that the body returns as it is, also from a compiled function, does not change."""

    @jax.jit
    def move(x: Any, key: Any) -> Any:
        return x + jax.random.normal(key), key

    def walk(key: Any) -> Any:
        return jax.lax.while_loop(lambda s: s[0] < 3, lambda s: move(*s), (0.0, key))

    assert [it.is_same for it in flow_of(walk, jax.random.key(0)).in_loops] == [True]


@pytest.mark.parametrize("axes", [None, 0])
def test_a_draw_for_all_examples_is_marked(axes: int | None) -> None:
    """A draw under `vmap` is for all examples, unless each has a key."""

    def noisy(x: Any, key: Any) -> Any:
        return x + jax.random.normal(key)

    key = jax.random.key(0)
    keys = key if axes is None else jax.random.split(key, 3)
    flow = flow_of(jax.vmap(noisy, (0, axes)), X, keys)

    assert [it.is_mapped for it in flow.mapped] == ([True] if axes is None else [])


def test_a_program_that_is_too_long_is_followed_in_part() -> None:
    """A program has a budget of equations; what was found within it is kept."""
    closed = jax.make_jaxpr(in_nested_jit)(jax.random.key(0), X)
    whole, part = KeyFlow(closed), KeyFlow(closed, most=1)

    assert whole.left > 0
    assert whole.pairs
    assert part.left < 0
    assert part.count == 1


# ---------------------------------------------------------------- calls


def kept(function: Function, *calls: tuple[Any, ...]) -> list[tuple[int, bool]]:
    """Return the keys that stayed the same in some calls of a program."""
    closed = jax.make_jaxpr(function)(*calls[0])
    compared = RepeatedCalls(closed.jaxpr, KeyFlow(closed), calls[0])
    for args in calls[1:]:
        compared.take(args)
    return list(compared.kept_keys())


def noisy_step(key: Any, x: Any, count: Any) -> Any:
    """Compute the next state from a key."""
    return x + jax.random.normal(key, x.shape)


def counted_step(key: Any, x: Any, count: Any) -> Any:
    """Compute the next state from a key and a count."""
    return noisy_step(jax.random.fold_in(key, count), x, 0), count + 1


def dropping_step(key: Any, x: Any, count: Any) -> Any:
    """Compute the next state from a key and a count, whose next value is lost."""
    return counted_step(key, x, count)[0]


def estimate(key: Any, x: Any, count: Any) -> Any:
    """Compute a number from a key."""
    return jnp.sum(noisy_step(key, x, count))


def test_a_step_that_is_given_the_same_key_is_found() -> None:
    """A step with new arrays and the same key, or an equal one, draws the same numbers."""
    count = jnp.uint32(0)
    calls = [(jax.random.key(0), X + n, count) for n in range(3)]

    assert kept(noisy_step, *calls) == [(0, False)]


@pytest.mark.parametrize("function", [estimate, counted_step])
def test_estimates_and_counted_keys_are_not_reported(function: Function) -> None:
    """A program that returns a number only, or whose count advances, is not reported."""
    key = jax.random.key(0)

    assert kept(function, *[(key, X + n, jnp.uint32(n)) for n in range(3)]) == []


def test_a_step_with_other_keys_is_not_reported() -> None:
    """A step that is given another key each time is right."""
    calls = [(jax.random.key(n), X + n, jnp.uint32(0)) for n in range(3)]

    assert kept(noisy_step, *calls) == []


def test_a_count_that_is_lost_is_found() -> None:
    """A count that the program advances in its copy only is the same in each call."""
    call = (jax.random.key(0), X, jnp.uint32(0))

    assert kept(dropping_step, call, call, call) == [(0, True)]
    assert kept(counted_step, call, call, call) == []


# ---------------------------------------------------------------- rows of keys


def in_all_and_one(key: Any, x: Any) -> Any:
    """Draw from each of several keys, and again from one of them."""
    keys = jax.random.split(key, 3)
    return jax.vmap(jax.random.normal)(keys) + jax.random.normal(keys[1])


def in_a_scan_and_one(key: Any, x: Any) -> Any:
    """Draw from one key, and again in a loop over all of them."""
    keys = jax.random.split(key, 3)
    first = jax.random.normal(keys[0])
    return jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), x + first, keys)[0]


def in_overlapping_parts(key: Any, x: Any) -> Any:
    """Draw from two slices that have a key in common."""
    keys = jax.random.split(key, 4)
    return jax.vmap(jax.random.normal)(keys[:3]) + jax.vmap(jax.random.uniform)(keys[1:])


def in_a_fold_and_a_split(key: Any, x: Any) -> Any:
    """Draw from the second child of a key, which two functions make."""
    _, second = jax.random.split(key)
    return x + jax.random.normal(second) + jax.random.uniform(jax.random.fold_in(key, 1))


def under_a_new_axis(key: Any, x: Any) -> Any:
    """Draw from a key, and in a mapped function from the same one."""
    return x + jax.random.normal(key) + jax.vmap(jax.random.uniform)(key[None])


@KEYS
@pytest.mark.parametrize(
    "function",
    [
        in_all_and_one,
        in_a_scan_and_one,
        in_overlapping_parts,
        in_a_fold_and_a_split,
        under_a_new_axis,
    ],
)
def test_keys_of_an_array_are_told_apart(function: Function, key: Any) -> None:
    """A use of several keys, and one of a key among them, are a pair."""
    assert len(flow_of(function, key, X).pairs) == 1


def in_a_fold_beside_a_split(key: Any, x: Any) -> Any:
    """Draw from the first two children of a key, and from another one."""
    first, second = jax.random.split(key)
    x = x + jax.random.normal(first) + jax.random.normal(second)
    return x + jax.random.uniform(jax.random.fold_in(key, 2))


def in_a_draw_and_a_fold(key: Any, x: Any) -> Any:
    """Draw from a key, and from a key that is folded from it, as JAX allows."""
    return x + jax.random.normal(key) + jax.random.normal(jax.random.fold_in(key, 1))


def in_parts(key: Any, x: Any) -> Any:
    """Draw from the parts of an array of keys, by slices of slices."""
    keys = jax.random.split(key, 5)
    left, right = keys[:2], keys[2:]
    one = jax.random.normal(left[1]) + jax.random.normal(right[0])
    return one + jax.random.normal(left[0]) + jax.vmap(jax.random.normal)(right[1:])


def in_a_loop_and_beside(key: Any, x: Any) -> Any:
    """Draw in a loop over some keys, and from another one after it."""
    keys = jax.random.split(key, 4)
    x = jax.lax.scan(lambda x, k: (x + jax.random.normal(k), None), x, keys[1:])[0]
    return x + jax.random.normal(keys[0])


def in_a_table(key: Any, x: Any) -> Any:
    """Draw from each key of a table, by rows and columns."""
    table = jax.random.split(key, (2, 2))
    first, second = table
    x = x + jax.random.normal(first[1]) + jax.random.normal(second[0])
    return x + jax.random.normal(table[0, 0]) + jax.random.normal(table[1][1])


def in_a_reshaped_array(key: Any, x: Any) -> Any:
    """Draw from each of several keys, which stand in a table."""
    table = jax.random.split(key, 4).reshape(2, 2, *key.shape)
    x = x + jax.random.normal(table[0][1]) + jax.random.normal(table[1][0])
    return x + jax.random.normal(table[0][0]) + jax.random.normal(table[1][1])


@KEYS
@pytest.mark.parametrize(
    "function",
    [
        in_a_fold_beside_a_split,
        in_a_draw_and_a_fold,
        in_parts,
        in_a_loop_and_beside,
        in_a_table,
        in_a_reshaped_array,
    ],
)
def test_other_keys_of_an_array_are_no_pairs(function: Function, key: Any) -> None:
    """Keys in other rows, and a draw beside a key that is folded, are used once."""
    assert not flow_of(function, key, X).pairs


def test_a_fold_is_the_child_of_a_split() -> None:
    """`fold_in(key, n)` makes the key that `split` has at n."""
    key = jax.random.key(5)
    folded = jax.random.key_data(jax.random.fold_in(key, 1))

    assert (folded == jax.random.key_data(jax.random.split(key, 3)[1])).all()
