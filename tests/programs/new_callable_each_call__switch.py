# expects: new-callable-each-call at 9
import jax
import jax.numpy as jnp


def move(weights, rule, strength):
    momentum = strength * weights.mean()

    moved = jax.lax.switch(
        rule,
        [lambda w: w + momentum, lambda w: w - momentum, lambda w: w],
        weights,
    )
    return moved / moved.sum()


weights = jnp.ones(4)
for day in range(12):
    weights = move(weights, day % 3, 0.5)
print(weights)
