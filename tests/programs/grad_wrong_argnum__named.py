# expects: grad-wrong-argnum at 10
import jax
import jax.numpy as jnp


def loss(x, w):
    return jnp.sum((x * w - 1.0) ** 2)


slope_and_value = jax.jit(jax.value_and_grad(loss))
x, w = jnp.array([1.0, 2.0]), jnp.array([0.5, 0.5])
for _ in range(3):
    value, slope = slope_and_value(x, w)
    w = w - 0.1 * slope
print(w)
