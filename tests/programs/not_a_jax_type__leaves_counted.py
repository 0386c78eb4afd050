# expects: not-a-jax-type at 8
# needs: equinox
import equinox as eqx
import jax


def parameters(net):
    return sum(leaf.size for leaf in jax.tree.leaves(net))


net = eqx.nn.Sequential([eqx.nn.Linear(3, 4, key=jax.random.key(0)), eqx.nn.Lambda(jax.nn.relu)])
print(parameters(net))
