# expects: nothing
import jax
import jax.numpy as jnp


def follow(weights, strength):
    return weights + strength * weights.mean()


def fade(weights, strength):
    return weights - strength * weights.mean()


weights = jnp.ones(4)
for day in range(12):
    weights = jax.lax.cond(day % 3 == 0, follow, fade, weights, 0.5)
print(weights)
