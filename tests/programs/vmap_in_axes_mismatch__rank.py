# expects: vmap-in-axes-mismatch at 10
import jax
import jax.numpy as jnp


def next_population(size, rate):
    return rate * size * (1 - size)


sizes = jax.vmap(next_population, in_axes=(None, 1))(0.5, jnp.linspace(2.5, 4.0, 8))
print(sizes)
