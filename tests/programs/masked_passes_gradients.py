# expects: masked-passes-gradients at 12
# needs: optax
import jax
import jax.numpy as jnp
import optax


def loss(params, x, y):
    return jnp.mean((jnp.tanh(x @ params["body"]) @ params["head"] - y) ** 2)


tx = optax.masked(optax.adam(1e-2), {"body": False, "head": True})
params = {"body": jnp.eye(3), "head": jnp.ones(3)}
state = tx.init(params)


@jax.jit
def step(params, state, x, y):
    grads = jax.grad(loss)(params, x, y)
    updates, state = tx.update(grads, state, params)
    return optax.apply_updates(params, updates), state


for _ in range(3):
    params, state = step(params, state, jnp.ones((4, 3)), jnp.zeros(4))
print(params["body"][0, 0])
