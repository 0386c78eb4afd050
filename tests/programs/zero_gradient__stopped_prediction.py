# expects: zero-gradient at 13
import jax
import jax.numpy as jnp


def predict(w, x):
    return jnp.tanh(x @ w)


@jax.jit
def step(w, x, y):
    def loss(w):
        return jnp.mean((jax.lax.stop_gradient(predict(w, x)) - y) ** 2)

    return w - 0.1 * jax.grad(loss)(w)


x = jnp.arange(6.0).reshape(3, 2)
w = jnp.array([0.1, -0.1])
for _ in range(3):
    w = step(w, x, jnp.array([0.5, 0.0, 1.0]))
print(w)
