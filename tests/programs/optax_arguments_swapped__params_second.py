# expects: optax-arguments-swapped at 18
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(p, x):
    return ((x @ p["w"]) ** 2).mean()


tx = optax.adam(1e-2)


@jax.jit
def step(params, state, x):
    grads = jax.grad(loss)(params, x)
    updates, state = tx.update(grads, params, state)
    return optax.apply_updates(params, updates), state


params = {"w": jnp.ones(3)}
print(step(params, tx.init(params), jnp.ones((4, 3))))
