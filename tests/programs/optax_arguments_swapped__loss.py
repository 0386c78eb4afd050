# expects: optax-arguments-swapped at 14
# needs: optax
import jax
import jax.numpy as jnp
import optax

x = jnp.linspace(-1.0, 1.0, 8)[:, None] * jnp.ones(3)
likes = (x[:, :1] > 0).astype(jnp.float32)


@jax.jit
def loss(w):
    scores = x @ w
    losses = optax.sigmoid_binary_cross_entropy(likes, scores)
    return losses.mean()


w = jnp.zeros((3, 1))
for _ in range(3):
    w = w - 0.1 * jax.grad(loss)(w)
print(loss(w))
