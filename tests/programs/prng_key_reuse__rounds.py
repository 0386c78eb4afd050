# expects: prng-key-reuse at 7
import jax
import jax.numpy as jnp


def drift(place, _):
    place = place + jax.random.normal(SEED)
    return place, place


SEED = jax.random.key(4)
with jax.debug_key_reuse(True):
    jax.jit(lambda x: jax.lax.scan(drift, x, length=3))(jnp.float32(0))
