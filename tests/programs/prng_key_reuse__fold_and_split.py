# expects: prng-key-reuse at 14
import jax
import jax.numpy as jnp


@jax.jit
def simulate(key, x):
    """Add noise to a signal, scale it, and drop some of its elements."""
    _, noise_key = jax.random.split(key)
    noisy = x + jax.random.normal(noise_key, x.shape)
    mask_key = jax.random.fold_in(key, 1)
    scale = jnp.max(jnp.abs(noisy))
    noisy = noisy / scale
    mask = jax.random.bernoulli(mask_key, 0.8, x.shape)
    return jnp.where(mask, noisy, 0.0)


print(simulate(jax.random.key(0), jnp.ones(5)))
