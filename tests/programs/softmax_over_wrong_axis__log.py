# expects: softmax-over-wrong-axis at 7
import jax
import jax.numpy as jnp


def loss(w, x, labels):
    logs = jax.nn.log_softmax(x @ w, axis=0)
    return -jnp.mean(logs[jnp.arange(labels.size), labels])


x = jnp.arange(24.0).reshape(6, 4)
print(jax.jit(loss)(jnp.ones((4, 3)), x, jnp.array([0, 1, 2, 0, 1, 2])))
