# expects: zero-gradient at 11
import jax
import jax.numpy as jnp


class Settings:
    levels = 4


def loss(w, settings, x):
    steps = jnp.round(w * x * settings.levels)
    return jnp.mean((steps / settings.levels - 1.0) ** 2)


w = jnp.array(0.3)
for _ in range(3):
    w = w - 0.1 * jax.grad(loss)(w, Settings(), jnp.arange(3.0))
