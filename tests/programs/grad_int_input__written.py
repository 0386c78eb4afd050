# expects: grad-int-input at 18
import jax
import jax.numpy as jnp


def energy(params, x):
    return params["scale"] * jnp.sum(x ** params["power"])


def descend(params, x, rounds):
    slope = jax.jit(jax.grad(energy))
    for _ in range(rounds):
        grads = slope(params, x)
        params = jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
    return params


start = {"scale": 1, "power": 2.0}
print(descend(start, jnp.arange(1.0, 4.0), 3))
