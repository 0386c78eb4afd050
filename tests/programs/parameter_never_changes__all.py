# expects: parameter-never-changes at 28
# needs: optax
import jax
import jax.numpy as jnp
import optax

x = jnp.sin(jnp.arange(24.0)).reshape(8, 3)


def rate(count):
    return 1e-2 * (count // 1000)


def loss(params):
    return jnp.mean((jnp.tanh(x @ params["first"]) @ params["second"] - 1.0) ** 2)


@jax.jit
def step(params, state):
    updates, state = tx.update(jax.grad(loss)(params), state)
    return optax.apply_updates(params, updates), state


tx = optax.sgd(rate)
params = {"first": jnp.cos(jnp.arange(6.0)).reshape(3, 2), "second": jnp.array([0.5, 1.5])}
state = tx.init(params)
for _ in range(40):
    params, state = step(params, state)
print(loss(params))
