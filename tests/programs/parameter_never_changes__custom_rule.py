# expects: parameter-never-changes at 47
# needs: optax
import jax
import jax.numpy as jnp
import optax


@jax.custom_vjp
def scatter(weights, field):
    return weights @ field


def scatter_fwd(weights, field):
    return scatter(weights, field), field


def scatter_bwd(field, g):
    return jnp.outer(g, field), None


scatter.defvjp(scatter_fwd, scatter_bwd)


def loss(params, field, seen):
    hidden = jnp.sin(scatter(params["inner"], field))
    return jnp.mean((scatter(params["outer"], hidden) - seen) ** 2)


tx = optax.adam(1e-2)
keys = jax.random.split(jax.random.key(3), 4)
params = {
    "inner": jax.random.normal(keys[0], (5, 3)),
    "outer": jax.random.normal(keys[1], (2, 5)),
}
state = tx.init(params)


@jax.jit
def train(params, state, field, seen):
    grads = jax.grad(loss)(params, field, seen)
    updates, state = tx.update(grads, state)
    return optax.apply_updates(params, updates), state


field, seen = jax.random.normal(keys[2], (3,)), jax.random.normal(keys[3], (2,))
for _ in range(20):
    params, state = train(params, state, field, seen)
