# expects: haiku-untransformed at 8
# needs: haiku
import haiku as hk
import jax.numpy as jnp


def net(x):
    return hk.nets.MLP([8, 1])(x)


print(net(jnp.ones((2, 3))))
