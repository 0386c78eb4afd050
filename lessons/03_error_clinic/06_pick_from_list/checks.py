"""What pick-from-list requires."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Traces, Types, Uses, Vmap

X = np.array([0.0, 1.0], np.float32)

EXAMPLES = [
    Call(1, X).gives([1.0, 0.5403]),
    Call(7, X).gives([0.0, 0.7616]),
]


REASONS = {
    3: "an index past the end",
    -1: "an index below 0",
    2**31 - 1: "an index past the end",
    -(2**31): "an index below 0",
}


def hidden(rng):
    """Each function, and indices on either side of the list."""
    for i in (0, 1, 2):
        yield Call(i, rng.normal(size=2).astype(np.float32))
    for i, reason in REASONS.items():
        yield Call(i, rng.normal(size=2).astype(np.float32)).when(reason)


def runs_before_the_choice(apply_kth):
    """Return a function that is computed outside the branches."""

    def outside(jaxpr):
        for eqn in jaxpr.eqns:
            name = eqn.primitive.name
            if name in ("sin", "cos", "tanh"):
                yield name
            elif name != "cond":
                for value in eqn.params.values():
                    if hasattr(value, "eqns"):
                        yield from outside(value)

    found = sorted(set(outside(jax.make_jaxpr(apply_kth)(1, jnp.ones(2)))))
    return f"{', '.join(found)} is computed outside the branches" if found else None


PROPERTIES = [
    Types(
        [Call(1, X), Call(1, X.astype(jnp.bfloat16))],
        says="The answer has the dtype of x: float32 and bfloat16 stay what they are.",
    ),
    Traces(
        [Call(i, X) for i in range(3)],
        says="It is traced once for the three functions.",
    ),
    Uses(
        [Call(1, X)],
        primitives=("cond",),
        says="Its jaxpr holds a cond: one function is run, not all of them.",
    ),
    Custom(
        "one-function",
        "The three functions are inside the branches and nowhere else.",
        runs_before_the_choice,
    ),
    Vmap(
        [Call(np.array([0, 1, 2, 9]), X)],
        in_axes=(0, None),
        says="Under jax.vmap each row has its own function.",
    ),
    Gradient(
        [Call(1, X + 0.5)],
        argnums=1,
        says="Its gradient with respect to x is that of the chosen function.",
    ),
]
