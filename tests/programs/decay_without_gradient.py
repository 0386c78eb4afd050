# expects: decay-without-gradient at 19
# needs: optax
import jax
import jax.numpy as jnp
import optax

key = jax.random.key(1)
params = {
    "waves": jnp.sin(jnp.arange(12.0)).reshape(3, 4),
    "mix": jax.random.normal(key, (4, 2)),
}


def loss(params, x, y):
    waves = jax.lax.stop_gradient(params["waves"])
    return jnp.mean(((x[:, None] * waves[None, 0]) @ params["mix"] - y) ** 2)


tx = optax.adamw(1e-2, weight_decay=0.1)
state = tx.init(params)


@jax.jit
def step(params, state, x, y):
    grads = jax.grad(loss)(params, x, y)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state


x, y = jnp.linspace(0.0, 1.0, 16), jnp.ones((16, 2))
for _ in range(20):
    params, state = step(params, state, x, y)
