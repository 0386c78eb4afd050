# expects: nnx-loop-returns-part at 14
# needs: flax
import jax.numpy as jnp
from flax import nnx


def is_large(state):
    layer, x, n = state
    return (jnp.abs(x).max() > 1e-3) & (n < 20)


def shrink(state):
    layer, x, n = state
    return 0.5 * layer(x), n + 1


layer = nnx.Linear(2, 2, rngs=nnx.Rngs(0))
layer, x, n = nnx.while_loop(is_large, shrink, (layer, jnp.ones(2), 0))
print(n)
