# expects: result-not-finite at 7
import jax
import jax.numpy as jnp


def first_axis(stiffness):
    values, axes = jnp.linalg.eigh(stiffness)
    return axes[0, 0] + values[0]


print(jax.grad(first_axis)(2.0 * jnp.eye(3)))
