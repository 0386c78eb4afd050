# expects: grad-wrong-argnum at 20
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


def loss(x, y, model):
    return ((jax.vmap(model)(x) - y) ** 2).mean()


model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
optim = optax.adam(1e-3)
opt_state = optim.init(eqx.filter(model, eqx.is_array))


@eqx.filter_jit
def step(model, opt_state, x, y):
    value, grads = eqx.filter_value_and_grad(loss)(x, y, model)
    updates, opt_state = optim.update(grads, opt_state, model)
    return eqx.apply_updates(model, updates), opt_state, value


print(step(model, opt_state, jnp.ones((4, 2)), jnp.ones((4, 1)))[2])
