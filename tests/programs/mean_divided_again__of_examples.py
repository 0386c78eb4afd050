# expects: mean-divided-again at 14
import jax
import jax.numpy as jnp


def cross_entropy(w, x, label):
    return -jax.nn.log_softmax(w @ x)[label]


@jax.jit
def batch_loss(w, xs, labels):
    size = len(xs)
    losses = jax.vmap(cross_entropy, in_axes=(None, 0, 0))(w, xs, labels)
    total = losses.mean() / size
    return total, losses


xs = jnp.arange(15.0).reshape(5, 3) % 4
labels = jnp.array([0, 1, 0, 1, 1])
(value, losses), grads = jax.value_and_grad(batch_loss, has_aux=True)(
    jnp.zeros((2, 3)), xs, labels
)
print(value, grads.shape)
