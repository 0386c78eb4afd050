# expects: shape-mismatch-matmul at 10
# needs: flax
import jax.numpy as jnp
from flax import nnx

rngs = nnx.Rngs(0)
net = nnx.Sequential(
    nnx.Linear(4, 32, rngs=rngs),
    nnx.relu,
    nnx.Linear(16, 1, rngs=rngs),
)
print(net(jnp.ones((3, 4))).shape)
