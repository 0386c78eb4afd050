# expects: nothing
# needs: optax
import jax
import jax.numpy as jnp
import optax

params = {"waves": jnp.sin(jnp.arange(4.0)), "mix": jnp.cos(jnp.arange(4.0))}


def loss(params, x):
    waves = jax.lax.stop_gradient(params["waves"])
    return jnp.mean((x * jnp.dot(waves, params["mix"]) - 1.0) ** 2)


tx = optax.adamw(1e-2, weight_decay=0.1, mask={"waves": False, "mix": True})
state = tx.init(params)


@jax.jit
def step(params, state, x):
    updates, state = tx.update(jax.grad(loss)(params, x), state, params)
    return optax.apply_updates(params, updates), state


for _ in range(12):
    params, state = step(params, state, jnp.linspace(0.0, 1.0, 8))
