# expects: value-and-grad-not-unpacked at 9
# needs: optax
import jax
import jax.numpy as jnp
import optax

optimizer = optax.sgd(0.1)
w = jnp.zeros(3)
g = jax.value_and_grad(lambda w: jnp.sum(w**2))(w)
updates, _ = optimizer.update(g, optimizer.init(w))
w = optax.apply_updates(w, updates)
