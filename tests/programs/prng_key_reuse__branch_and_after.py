# expects: prng-key-reuse at 16
import jax
import jax.numpy as jnp


@jax.jit
def explore(key, values):
    def at_random(key):
        return jax.random.randint(key, (), 0, values.size)

    def best(key):
        return jnp.argmax(values)

    action = jax.lax.cond(values[0] > 0, at_random, best, key)
    # The key was used in one of the branches.
    noise = jax.random.normal(key, values.shape)
    return action, noise


print(explore(jax.random.key(0), jnp.ones(3))[0])
