# expects: float-as-index at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w, x, targets):
    return optax.softmax_cross_entropy_with_integer_labels(x @ w, targets).mean()


jax.grad(loss)(jnp.ones((4, 3)), jnp.ones((2, 4)), jax.nn.one_hot(jnp.array([0, 2]), 3))
