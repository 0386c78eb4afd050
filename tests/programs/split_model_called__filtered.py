# expects: split-model-called at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def error(net, x):
    return jnp.mean((jax.vmap(net)(x) - 1.0) ** 2)


net = eqx.nn.MLP(2, 1, 4, 1, activation=jnp.tanh, key=jax.random.key(0))
x = jnp.ones((3, 2))
arrays = eqx.filter(net, eqx.is_inexact_array)
slope = jax.grad(lambda weights: error(weights, x))(arrays)
print(jax.tree.leaves(slope)[0].shape)
