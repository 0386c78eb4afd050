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
    both = np.array([np.inf, 2.0, -np.inf], np.float32)
    wide = np.array([100.0, -100.0], np.float32)
    x = rng.uniform(3, 4, size=5).astype(np.float32)
    mixed = np.where(np.arange(5) == 3, -x, x)
    yield Call([jnp.sin, compiled_log, jnp.tanh], x).when("a NaN born inside a compiled layer")
    yield Call([jnp.exp, compiled_log, jnp.tanh], x)
    yield Call([jnp.exp, jnp.exp, jnp.sinh, jnp.sin, jnp.sqrt], x * 30).when(
        "a layer that gives infinities before one that gives NaN"
    )
    yield Call([jnp.exp, jnp.sinh, jnp.reciprocal], x * 30).when("infinities and no NaN")
    yield Call([jnp.sinh, jnp.tanh], wide).when("infinities of both signs in one result")
    yield Call([jnp.exp, jnp.tanh], 10 * wide).when("an infinity and a 0 in one result")
    yield Call([jnp.tanh, jnp.sqrt], both).when("infinities of both signs in x")
    yield Call([jnp.square, jnp.negative, jnp.sqrt, jnp.log], mixed)
    yield Call([jnp.sqrt, jnp.square], mixed).when("a NaN in one element only")
    yield Call([], x).when("an empty list of layers")
    given = np.array([1.0, np.nan], np.float32)
    yield Call([jnp.square, compiled_log], given).when("a NaN in x")
    yield Call([jnp.square, compiled_log], given[::-1].copy()).when("a NaN in x")
    yield Call([jnp.nan_to_num, jnp.negative, jnp.log], given).when(
        "a NaN in x that the first layer removes"
    )


def leaves_it_changed(first_bad_layer):
    """Report a setting of JAX that differs afterwards."""
    for layers, before in ((BAD, False), (GOOD, False), (GOOD, True)):
        jax.config.update("jax_debug_nans", before)
        try:
            first_bad_layer(layers, jnp.asarray(ONE))
            after = jax.config.jax_debug_nans
        finally:
            jax.config.update("jax_debug_nans", False)
        if after != before:
            return f"jax_debug_nans is {before} before the call and {after} after it"
    return None


def is_number(first_bad_layer):
    """Report the class of an answer that is not a Python integer."""
    answer = first_bad_layer(BAD, jnp.asarray(ONE))
    return None if type(answer) is int else f"the answer is of class {type(answer).__name__}"


PROPERTIES = [
    Custom("settings", "JAX's settings are the same afterwards.", leaves_it_changed),
    Custom("integer", "The answer is a Python integer.", is_number),
]
