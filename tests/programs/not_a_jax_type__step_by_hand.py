# expects: not-a-jax-type at 14
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def descend(weight, slope):
    return weight - 0.1 * slope


def step(model, x):
    grads = eqx.filter_grad(lambda m: jnp.mean(jax.vmap(m)(x) ** 2))(model)
    return jax.tree_util.tree_map(descend, model, grads)


model = eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0))
print(step(model, jnp.ones((3, 2)))(jnp.ones(2)))
