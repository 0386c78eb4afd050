# expects: not-a-jax-type at 18
# needs: equinox optax
import equinox as eqx
import jax
import jax.numpy as jnp
import optax


@eqx.filter_grad
def slope(model, x):
    return jnp.sum(jax.vmap(model)(x))


@eqx.filter_jit
def climb(model, state, x):
    changes, state = optimizer.update(slope(model, x), state)
    changes = jax.tree.map(jnp.negative, changes)
    return optax.apply_updates(model, changes), state


model = eqx.nn.MLP(3, 1, 8, 2, activation=jax.nn.silu, key=jax.random.key(0))
optimizer = optax.sgd(0.1)
state = optimizer.init(eqx.filter(model, eqx.is_array))
model, state = climb(model, state, jnp.ones((4, 3)))
print(model(jnp.ones(3)))
