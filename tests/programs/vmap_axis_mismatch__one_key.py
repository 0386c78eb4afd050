# expects: vmap-axis-mismatch at 13
import jax
import jax.numpy as jnp


def blurred(key, row):
    return row + 0.1 * jax.random.normal(key, row.shape)


def augment(seed, rows):
    key = jax.random.PRNGKey(seed)
    # The two numbers of the key count as two examples.
    return jax.vmap(blurred)(key, rows)


print(augment(0, jnp.ones((20, 3))).std())
