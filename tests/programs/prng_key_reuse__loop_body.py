# expects: prng-key-reuse at 8
import jax
import jax.numpy as jnp


def make_noise(key, scale):
    def noise(shape):
        return scale * jax.random.normal(key, shape)

    return noise


def langevin(x, key):
    noise = make_noise(key, 0.1)
    return jax.lax.fori_loop(0, 10, lambda _, x: 0.9 * x + noise(x.shape), x)


jax.vmap(lambda k: langevin(jnp.zeros(2), k))(jax.random.split(jax.random.key(0), 3))
