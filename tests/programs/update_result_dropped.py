# expects: update-result-dropped at 14
import jax
import jax.numpy as jnp


def loss(params, x):
    return jnp.sum((params["w"] * x - 1.0) ** 2)


params = {"w": jnp.array(0.5)}
x = jnp.arange(3.0)
for _ in range(3):
    grads = jax.grad(loss)(params, x)
    jax.tree.map(lambda p, g: p - 0.01 * g, params, grads)
