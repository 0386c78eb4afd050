# expects: nnx-split-order at 10
# needs: flax optax
import functools

import jax
import jax.numpy as jnp
from flax import nnx

net = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
weights, static = nnx.split(net)


@functools.partial(jax.jit, static_argnames="static")
def predict(static, weights, x):
    return nnx.merge(static, weights)(x)


print(predict(static=static, weights=weights, x=jnp.ones((3, 2))).shape)
