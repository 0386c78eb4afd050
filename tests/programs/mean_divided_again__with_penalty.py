# expects: mean-divided-again at 10
import jax
import jax.numpy as jnp


def ridge_loss(w, x, y):
    count = x.shape[0]
    errors = (x @ w - y) ** 2
    loss = jnp.mean(errors)
    return loss / count + 0.01 * jnp.sum(w**2)


x = jnp.arange(12.0).reshape(6, 2) / 10
print(jax.grad(ridge_loss)(jnp.ones(2), x, x[:, 0]))
