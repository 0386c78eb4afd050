# expects: step-with-wrong-sign at 20
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax

model = eqx.nn.Linear(2, 1, key=jax.random.key(0))
optim = optax.adam(1e-2)
opt_state = optim.init(model)


@eqx.filter_jit
def step(model, opt_state, x, y):
    def loss(model):
        return jnp.mean((jax.vmap(model)(x) - y) ** 2)

    grads = eqx.filter_grad(loss)(model)
    updates, opt_state = optim.update(grads, opt_state)
    return eqx.apply_updates(model, grads), opt_state


print(step(model, opt_state, jnp.ones((4, 2)), jnp.ones((4, 1)))[0].bias)
