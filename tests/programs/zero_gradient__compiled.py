# expects: zero-gradient at 7
import jax
import jax.numpy as jnp


def error(w, x, y):
    label = jnp.argmax(x @ w, axis=-1)
    return 1.0 - jnp.mean(label == y), label


@jax.jit
def step(w, x, y):
    (loss, label), slope = jax.value_and_grad(error, has_aux=True)(w, x, y)
    return w - 0.1 * slope, loss


w = jnp.ones((3, 2))
for _ in range(3):
    w, loss = step(w, jnp.eye(3), jnp.array([0, 1, 0]))
