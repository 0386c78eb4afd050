# expects: callback-given-text at 15
import jax
import jax.numpy as jnp
from jax.experimental import io_callback

seen = {}


def store(value, where):
    seen[where] = float(value)


@jax.jit
def norm(x):
    io_callback(store, None, jnp.linalg.norm(x), "last")
    return jnp.linalg.norm(x)


print(norm(jnp.ones(4)))
