# expects: shape-mismatch-broadcast at 16
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w):
    return jnp.sum((jnp.ones((4, 3)) @ w) ** 2)


w = jnp.ones((3, 2))
tx = optax.adam(0.1)
state = tx.init(w)
grads = jax.grad(loss)(w).T
updates, state = tx.update(grads, state, w)
