# expects: optimizer-state-reset at 24
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.Linear(2, 1, key=jax.random.key(0))
optim = optax.adam(1e-2)


@eqx.filter_jit
def step(model, opt_state, x, y):
    def loss(model):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    value, grads = eqx.filter_value_and_grad(loss)(model)
    updates, opt_state = optim.update(grads, opt_state)
    return eqx.apply_updates(model, updates), opt_state, value


x, y = jnp.ones((8, 2)), jnp.ones((8, 1))
for epoch in range(3):
    opt_state = optim.init(eqx.filter(model, eqx.is_array))
    for start in range(0, 8, 4):
        rows = slice(start, start + 4)
        model, opt_state, value = step(model, opt_state, x[rows], y[rows])
    print(epoch, value)
