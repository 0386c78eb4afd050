"""What call-scipy asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Traces, Types, Uses, Vmap

TABLE = np.array([[0.5, 1.0], [2.0, 3.0], [0.1, 4.0]], np.float32)

EXAMPLES = [
    Call(np.array([1.0, 2.0], np.float32)).gives([0.421024, 0.113894]),
    Call(np.array(0.5, np.float32)).gives(0.924419),
]


def hidden(rng):
    """A table, and a single element in three axes."""
    yield Call(rng.uniform(0.1, 5, size=(3, 2)).astype(np.float32))
    yield Call(rng.uniform(0.1, 5, size=(1, 1, 1)).astype(np.float32)).when("an x with three axes")


def equations(jaxpr):
    for equation in jaxpr.eqns:
        yield equation
        inner = equation.params.get("jaxpr")
        if inner is not None:
            yield from equations(getattr(inner, "jaxpr", inner))


def asks_often(bessel):
    """Report how often SciPy is called for a batch of three, if it is more than once."""
    batched = jax.make_jaxpr(jax.vmap(bessel))(jnp.asarray(TABLE)).jaxpr
    names = [equation.primitive.name for equation in equations(batched)]
    if {"scan", "while"} & set(names):
        return "for a batch of 3 the program loops, and calls SciPy 3 times"
    asked = names.count("pure_callback")
    return None if asked <= 1 else f"for a batch of 3 the program calls SciPy {asked} times"


PROPERTIES = [
    Types(
        [Call(TABLE), Call(TABLE[0, 0])],
        says="The answer has the shape and the dtype of x.",
    ),
    Uses(
        [Call(TABLE)],
        ("pure_callback",),
        says="The compiled program calls SciPy through a callback without side effects.",
    ),
    Vmap([Call(TABLE)], says="Under jax.vmap it does for each row what it does for one."),
    Custom("asked-once", "Under jax.vmap, SciPy is called once for the whole batch.", asks_often),
    Traces([Call(TABLE), Call(TABLE + 1)], says="It is traced once for two calls of one shape."),
]
