"""What nan-hunter asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

ONE = np.array([1.0], np.float32)
GOOD = [jnp.exp, jnp.sqrt, jnp.log]
BAD = [jnp.exp, jnp.negative, jnp.log]

EXAMPLES = [Call(GOOD, ONE).gives(-1), Call(BAD, ONE).gives(2)]


@jax.jit
def compiled_log(x):
    y = x - 2
    return jnp.log(y) + 1


def hidden(rng):
    """In a compiled layer, by infinities, after the first, without layers, and given."""
    x = rng.uniform(3, 4, size=5).astype(np.float32)
    mixed = np.where(np.arange(5) == 3, -x, x)
    yield Call([jnp.sin, compiled_log, jnp.tanh], x)
    yield Call([jnp.exp, compiled_log, jnp.tanh], x)
    yield Call([jnp.exp, jnp.exp, jnp.sinh, jnp.sin, jnp.sqrt], x * 30)
    yield Call([jnp.exp, jnp.sinh, jnp.reciprocal], x * 30)
    yield Call([jnp.square, jnp.negative, jnp.sqrt, jnp.log], mixed)
    yield Call([], x)
    yield Call([jnp.square, compiled_log], np.array([1.0, np.nan], np.float32))


def leaves_it_changed(first_bad_layer):
    """Say which setting of jax is another one afterwards."""
    for layers, before in ((BAD, False), (GOOD, False), (GOOD, True)):
        jax.config.update("jax_debug_nans", before)
        try:
            first_bad_layer(layers, jnp.asarray(ONE))
            after = jax.config.jax_debug_nans
        finally:
            jax.config.update("jax_debug_nans", False)
        if after != before:
            return f"jax_debug_nans was {before} before the call and is {after} after it"
    return None


def is_number(first_bad_layer):
    """Say what the answer is, if it is no Python integer."""
    answer = first_bad_layer(BAD, jnp.asarray(ONE))
    return None if type(answer) is int else f"the answer is {type(answer).__name__}, not int"


PROPERTIES = [
    Custom("settings", "JAX's settings are the same afterwards.", leaves_it_changed),
    Custom("integer", "The answer is a Python integer.", is_number),
]
