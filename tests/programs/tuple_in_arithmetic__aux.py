# expects: tuple-in-arithmetic at 12
import jax
import jax.numpy as jnp


def loss(w):
    return jnp.sum(w**2), w.size


w = jnp.array([2.0, -2.0])
step = jax.grad(loss, has_aux=True)(w)
print(w - 0.25 * step)
