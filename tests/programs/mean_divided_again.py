# expects: mean-divided-again at 8
import jax
import jax.numpy as jnp


def loss_fn(w, batch):
    x, y = batch
    return jnp.mean((x @ w - y) ** 2) / x.shape[0]


x = jnp.arange(12.0).reshape(6, 2) / 10
y = x @ jnp.array([1.0, -1.0])
w = jnp.zeros(2)
for _ in range(20):
    loss, grad = jax.value_and_grad(loss_fn)(w, (x, y))
    w = w - 0.1 * grad
print(loss)
