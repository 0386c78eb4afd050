# expects: vmap-in-axes-mismatch at 11
import jax
import jax.numpy as jnp


def error(slope, x, y):
    return jnp.sum((x * slope - y) ** 2)


measure = jax.grad(error)
slopes = jax.vmap(measure, in_axes=(None, 0))
print(slopes(jnp.ones(2), jnp.ones((4, 2)), jnp.zeros((4, 2))))
