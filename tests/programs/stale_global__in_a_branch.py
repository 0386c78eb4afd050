# expects: stale-global at 15
import jax
import jax.numpy as jnp


class Options:
    is_noisy = False
    amplitude = 1.0


@jax.jit
def observe(x, key):
    y = jnp.sin(x)
    if Options.is_noisy:
        y = y + Options.amplitude * jax.random.normal(key, x.shape)
    return y


x, key = jnp.arange(3.0), jax.random.key(0)
print(observe(x, key))
Options.amplitude = 0.5
print(observe(x, key))
