# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def move(weights, rule, strength):
    momentum = strength * weights.mean()
    branches = [lambda w: w + momentum, lambda w: w - momentum, lambda w: w]
    moved = jax.lax.switch(rule, branches, weights)
    return moved / moved.sum()


weights = jnp.ones(4)
for day in range(12):
    weights = move(weights, day % 3, 0.5)
print(weights)
