# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.MultiSteps(optax.adam(0.05), every_k_schedule=3)


def loss(w, x):
    return jnp.mean((jnp.tanh(x @ w) - 1.0) ** 2)


@jax.jit
def step(w, state, x):
    updates, state = tx.update(jax.grad(loss)(w, x), state, w)
    return optax.apply_updates(w, updates), state


w = jnp.array([0.5, -0.5])
state = tx.init(w)
for x in jax.random.normal(jax.random.key(1), (20, 4, 2)):
    w, state = step(w, state, x)
