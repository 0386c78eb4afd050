# expects: prng-key-reuse at 17
import jax
import jax.numpy as jnp


def walk(drift, start, key):
    def step(position, k):
        position = position + drift + jax.random.normal(k)
        return position, position

    _, path = jax.lax.scan(step, start, jax.random.split(key, 8))
    return path


@jax.jit
def ends(drift, starts, key):
    paths = jax.vmap(walk, in_axes=(None, 0, None))(drift, starts, key)
    return paths[:, -1]


print(ends(0.1, jnp.linspace(0.0, 1.0, 5), jax.random.key(0)))
