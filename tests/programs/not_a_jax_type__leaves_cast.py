# expects: not-a-jax-type at 9
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp


def to_half(net):
    return jax.tree.map(lambda leaf: leaf.astype(jnp.bfloat16), net)


net = to_half(eqx.nn.MLP(2, 1, 8, 1, key=jax.random.key(0)))
print(net(jnp.ones(2, jnp.bfloat16)))
