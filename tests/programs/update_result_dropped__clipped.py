# expects: update-result-dropped at 18
# needs: optax
import jax
import jax.numpy as jnp
import optax

tx = optax.sgd(0.1)


def loss(params, x):
    return jnp.sum((params["w"] * x - 1) ** 2)


@jax.jit
def step(params, state, x):
    grads = jax.grad(loss)(params, x)
    bounded = jax.tree.map(lambda g: jnp.clip(g, -1.0, 1.0), grads)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3)}
print(step(params, tx.init(params), 10 * jnp.ones(3))[0])
