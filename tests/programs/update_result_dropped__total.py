# expects: update-result-dropped at 20
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(w, x):
    return jnp.mean((x @ w - 1.0) ** 2)


tx = optax.sgd(0.1)
w = jnp.zeros(2)
state = tx.init(w)
parts = jnp.arange(12.0).reshape(3, 2, 2) / 12
total = jnp.zeros(2)
for part in parts:
    grads = jax.grad(loss)(w, part)
    total += grads / len(parts)
updates, state = tx.update(grads, state)
w = optax.apply_updates(w, updates)
print(w.shape)
