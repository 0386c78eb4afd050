# expects: tree-at-where at 15
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp

net = eqx.nn.MLP(2, 2, 3, 1, key=jax.random.key(0))


def reset_biases(net):
    return eqx.tree_at(lambda m: [layer.bias for layer in (m.layers[0], m.layers[1])], net, 0.0)


def reset_weights(net):
    return eqx.tree_at(lambda m: (m.layers[0].weight, m.layers[1].weight), net, jnp.zeros((3, 2)))


print(reset_weights(net)(jnp.ones(2)))
