# expects: prng-key-reuse at 8
import jax
import jax.numpy as jnp


@jax.jit
def noisy_step(w, x):
    key = jax.random.key(0)
    noise_key, drop_key = jax.random.split(key)
    noise = 0.1 * jax.random.normal(noise_key, x.shape)
    keep = jax.random.bernoulli(drop_key, 0.5, x.shape)
    return w - 0.1 * jax.grad(lambda w: jnp.mean(((x + noise) * keep * w) ** 2))(w)


w = jnp.ones(3)
for _ in range(4):
    w = noisy_step(w, jnp.ones(3))
