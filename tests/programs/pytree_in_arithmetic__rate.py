# expects: pytree-in-arithmetic at 13
import jax
import jax.numpy as jnp


def loss(params, x):
    weights, offset = params
    return jnp.sum((x @ weights + offset) ** 2)


params, rate = [jnp.ones(3), 0.5], 0.1
grads = jax.grad(loss)(params, jnp.ones((4, 3)))
params = params - rate * grads
print(params)
