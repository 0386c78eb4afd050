"""Checks for pure-sampler."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.extend.core import jaxprs_in_params

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, NoLeak


def subject(module):
    """Return a function that draws three times; its answer does not depend on the numbers."""

    def in_a_row(state):
        for _ in range(3):
            state, x = in_two(module.draw(state))
        return {"axes of the state": jnp.ndim(state), "axes of x": jnp.ndim(x)}

    in_a_row.draw = module.draw
    return in_a_row


def in_two(answer):
    """Return state and number. Raise TypeError if the answer is not such a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("draw should return a pair, (state, x)")
    return answer


EXAMPLES = [
    Call(jax.random.key(0)).gives({"axes of the state": 0, "axes of x": 0}),
    Call(jax.random.key(1)).gives({"axes of the state": 0, "axes of x": 0}),
]


def goes_on(in_a_row):
    """Return what is wrong with three draws in a row from one compiled program, or None."""
    traces = []

    def counted(state):
        traces.append(state)
        return in_a_row.draw(state)

    compiled = jax.jit(counted)
    state, numbers = jax.random.key(7), []
    for _ in range(3):
        state, x = in_two(compiled(state))
        numbers.append(float(x))
    if len(set(numbers)) < 3:
        return f"three draws in a row gave {numbers[0]:.3f}, {numbers[1]:.3f}, {numbers[2]:.3f}"
    if len(traces) > 1:
        return f"three draws in a row traced it {len(traces)} times: the state changes its type"
    return None


def follows_the_state(in_a_row):
    """Return a message unless equal states give equal numbers, and other states other numbers."""
    compiled = jax.jit(lambda state: in_a_row.draw(state))
    one, again, other = (float(compiled(jax.random.key(seed))[1]) for seed in (1, 1, 2))
    if one != again:
        return "two calls with the same state gave different numbers"
    return "two different states gave the same number" if one == other else None


def folded_and_drawn(in_a_row):
    """Return a message if one key is both folded and drawn from or split, or None."""
    uses = {"folded": set(), "drawn": set()}

    def walk(jaxpr, outer):
        names = {id(var): name for var, name in zip(jaxpr.invars, outer, strict=True)}
        for eqn in jaxpr.eqns:
            given = [names.get(id(var), id(var)) for var in eqn.invars]
            if eqn.primitive.name == "random_fold_in":
                uses["folded"].add(given[0])
            elif eqn.primitive.name in ("random_bits", "random_split"):
                uses["drawn"].add(given[0])
            for inner in jaxprs_in_params(eqn.params):
                if len(inner.invars) == len(given):
                    walk(inner, given)

    jaxpr = jax.make_jaxpr(in_a_row.draw)(jax.random.key(0)).jaxpr
    walk(jaxpr, map(id, jaxpr.invars))
    return "a key is folded and drawn from" if uses["folded"] & uses["drawn"] else None


def is_uniform(in_a_row):
    """Return what is wrong with many numbers drawn side by side, or None."""
    sampler = jax.jit(jax.vmap(in_a_row.draw))
    states, xs = sampler(jax.random.split(jax.random.key(5), 4000))
    likeness = np.corrcoef(np.asarray(xs), np.asarray(sampler(states)[1]))[0, 1]
    xs = np.asarray(xs)
    if xs.min() < 0 or xs.max() > 1 or abs(xs.mean() - 0.5) > 0.03 or abs(xs.std() - 0.289) > 0.02:
        return (
            f"4000 draws lie between {xs.min():.2f} and {xs.max():.2f}, with mean {xs.mean():.2f}"
        )
    if not abs(likeness) < 0.1:
        return f"the correlation of a number with the next one is {likeness:.2f}, not 0"
    return None


PROPERTIES = [
    NoLeak(
        [Call(jax.random.key(0))],
        under=("jit", "vmap"),
        name="leaks-elsewhere",
        says="No tracer is left behind under jax.jit and jax.vmap.",
    ),
    KeysOnce([Call(jax.random.key(3))], says="No key is used twice in three draws in a row."),
    Custom("folded-apart", "A key that is folded is not drawn from.", folded_and_drawn),
    Custom("goes-on", "Three draws in a row differ, and one compiled program draws them.", goes_on),
    Custom("follows-the-state", "The state alone decides the number.", follows_the_state),
    Custom("uniform", "The numbers are uniform between 0 and 1, and independent.", is_uniform),
]
