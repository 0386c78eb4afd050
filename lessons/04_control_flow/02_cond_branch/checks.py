"""Checks for cond-branch."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Uses, Vmap

PAIR = np.array([3.0, 4.0], np.float32)

EXAMPLES = [
    Call(PAIR, True).gives([0.6, 0.8]),
    Call(PAIR, False).gives([3.0, 4.0]),
]


def hidden(rng):
    """Yield a longer array with both flags, and a single negative element."""
    x = rng.normal(size=5).astype(np.float32)
    yield Call(x, True)
    yield Call(x, False)
    yield Call(np.array([-4.0], np.float32), True).when("a single negative element")


MOVES = {"convert_element_type", "copy", "reshape", "broadcast_in_dim", "squeeze"}


def equations(jaxpr):
    """Yield the equations that run whether flag is true or not."""
    for equation in jaxpr.eqns:
        inner = equation.params.get("jaxpr") or equation.params.get("call_jaxpr")
        if inner is None:
            yield equation
        else:
            yield from equations(getattr(inner, "jaxpr", inner))


def works_inside(maybe_normalize):
    """Return what is computed from x outside the branches, or None."""
    for equation in equations(jax.make_jaxpr(maybe_normalize)(jnp.ones(7), True).jaxpr):
        name = equation.primitive.name
        on_x = any(value.aval.size == 7 for value in equation.invars)
        if on_x and name != "cond" and name not in MOVES:
            return f"`{name}` is applied to x outside the branches, even if flag is false"
    return None


def keeps_branches(maybe_normalize):
    """Return a message if no branch is skipped under vmap over x alone."""
    mapped = jax.vmap(maybe_normalize, in_axes=(0, None))
    jaxpr = jax.make_jaxpr(mapped)(jnp.ones((2, 7)), True).jaxpr
    names = {equation.primitive.name for equation in equations(jaxpr)}
    return None if "cond" in names else "under jax.vmap over x alone, the jaxpr contains no cond"


ROWS = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, -2.0]], np.float32)

PROPERTIES = [
    Uses(
        [Call(PAIR, True)],
        primitives=("cond",),
        says="Its jaxpr contains a cond: only one branch runs.",
    ),
    Custom("inside", "The length and the quotient are computed inside the branch.", works_inside),
    Traces([Call(PAIR, True), Call(PAIR, False)], says="It is traced once for both flags."),
    Vmap(
        [Call(ROWS, np.array([True, False, True]))],
        says="Under jax.vmap over both, each row follows its own flag.",
    ),
    Custom(
        "vmap-keeps-cond",
        "Under jax.vmap over x alone, one branch is still skipped.",
        keeps_branches,
    ),
]
