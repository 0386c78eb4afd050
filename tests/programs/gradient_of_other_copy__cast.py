# expects: gradient-of-other-copy at 32
# needs: optax
import jax
import jax.numpy as jnp
import optax


def predict(params, x):
    return jnp.tanh(x @ params["first"]) @ params["second"]


tx = optax.adam(1e-2)
keys = jax.random.split(jax.random.key(0), 3)
params = {
    "first": jax.random.normal(keys[0], (3, 8)),
    "second": jax.random.normal(keys[1], (8, 1)),
}
state = {"params": params, "opt": tx.init(params)}
prepared = jax.tree.map(lambda p: jax.device_put(p.astype(jnp.float32)), params)


@jax.jit
def step(state, params, x, y):
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((predict(p, x) - y) ** 2))(params)
    updates, opt = tx.update(grads, state["opt"])
    return {"params": optax.apply_updates(state["params"], updates), "opt": opt}, loss


x = jax.random.normal(keys[2], (32, 3))
y = jnp.sum(x, axis=1, keepdims=True)
for _ in range(15):
    state, loss = step(state, prepared, x, y)
