# expects: names-exchanged at 12
import jax.numpy as jnp


def step(params, velocity, gradient):
    velocity = 0.9 * velocity - 0.1 * gradient
    return params + velocity, velocity


params, velocity = jnp.ones(2), jnp.zeros(2)
for _ in range(3):
    params, velocity = step(velocity, params, 2.0 * params)
print(params)
