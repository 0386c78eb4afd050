# expects: step-with-wrong-sign at 10
# needs: optax
import jax
import jax.numpy as jnp
import optax


def log_likelihood(w, x, labels):
    log_probs = jax.nn.log_softmax(x @ w)
    return jnp.mean(jnp.take_along_axis(log_probs, labels[:, None], axis=1))


tx = optax.adam(0.1)
w = jnp.zeros((2, 3))
state = tx.init(w)
x, labels = jnp.ones((4, 2)), jnp.array([0, 1, 2, 0])
for _ in range(3):
    value, grads = jax.value_and_grad(log_likelihood)(w, x, labels)
    updates, state = tx.update(grads, state)
    w = optax.apply_updates(w, updates)
print(value < 0)
