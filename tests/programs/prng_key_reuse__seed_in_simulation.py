# expects: prng-key-reuse at 7
import jax
import jax.numpy as jnp


def path(start):
    key = jax.random.PRNGKey(42)

    def step(x, k):
        x = x + 0.1 * jax.random.normal(k)
        return x, x

    return jax.lax.scan(step, start, jax.random.split(key, 20))[1]


@jax.jit
def ends(starts):
    return jax.vmap(path)(starts)[:, -1]


starts = jnp.zeros(16)
print("spread", ends(starts).std())
