# expects: step-with-wrong-sign at 18
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


@eqx.filter_value_and_grad
def loss(net, x, y):
    return jnp.mean((jax.vmap(net)(x)[:, 0] - y) ** 2)


@eqx.filter_jit
def step(net, state, optimizer, x, y):
    value, slopes = loss(net, x, y)
    updates, state = optimizer.update(slopes, state)
    net = eqx.apply_updates(net, slopes)
    return net, state, value


net = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
optimizer = optax.adam(0.05)
state = optimizer.init(eqx.filter(net, eqx.is_inexact_array))
x = jnp.linspace(0.0, 1.0, 8).reshape(4, 2)
for _ in range(3):
    net, state, value = step(net, state, optimizer, x, x.sum(axis=1))
print(value)
