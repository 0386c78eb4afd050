# expects: differences-below-precision at 9
import jax
import jax.numpy as jnp


@jax.jit
def rotate(queries):
    length, width = queries.shape
    positions = jnp.arange(length).astype(queries.dtype)
    rates = (10_000.0 ** -jnp.linspace(0, 1, width // 2)).astype(queries.dtype)
    angles = jnp.outer(positions, rates)
    left, right = jnp.split(queries, 2, axis=1)
    turned = left * jnp.cos(angles) - right * jnp.sin(angles)
    return jnp.concatenate([turned, left * jnp.sin(angles) + right * jnp.cos(angles)], axis=1)


queries = jax.random.normal(jax.random.key(0), (1024, 16)).astype(jnp.bfloat16)
print(rotate(queries).dtype)
