# expects: grad-wrong-argnum at 13
import jax
import jax.numpy as jnp


def loss(x, w):
    return jnp.sum((x * w - 1.0) ** 2)


x = jnp.array([1.0, 2.0])
w = jnp.array([0.5, 0.5])
for _ in range(3):
    slope = jax.grad(loss)(x, w)
    w = w - 0.1 * slope
