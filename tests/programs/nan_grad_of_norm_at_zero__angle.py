# expects: nan-grad-of-norm-at-zero at 7
import jax
import jax.numpy as jnp


def distance(p, q):
    return jnp.arccos(jnp.clip(jnp.sum(p * q), -1.0, 1.0))


north = jnp.array([0.0, 0.0, 1.0])
print(jax.grad(distance)(north, north))
