# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental import io_callback

seen = []
SHAPE = jax.ShapeDtypeStruct((), jnp.float32)


def lookup(v):
    return np.float32(np.searchsorted([0.5, 1.5, 2.5], v))


@jax.jit
def used(x):
    return x + jax.pure_callback(lookup, SHAPE, x)


@jax.jit
def carried(x):
    def body(total, _):
        return total + jax.pure_callback(lookup, SHAPE, total), None

    total, _ = jax.lax.scan(body, x, None, length=3)
    return total


@jax.jit
def logged(x):
    jax.debug.callback(seen.append, x)
    io_callback(lambda v: seen.append(v), None, x)
    return x * 2


@jax.jit
def branch(x):
    return jax.lax.cond(x > 0, lambda v: jax.pure_callback(lookup, SHAPE, v), lambda v: v, x)


x = jnp.float32(1.0)
print(used(x), carried(x), logged(x), branch(x))
jax.effects_barrier()
print(len(seen))
