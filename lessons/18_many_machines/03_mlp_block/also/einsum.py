"""Names the axes, and takes the sharding of x."""

import jax
import jax.numpy as jnp
from jax.sharding import NamedSharding
from jax.sharding import PartitionSpec as P


def mlp_block(x, w1, b1, w2, b2):
    hidden = jax.nn.gelu(jnp.einsum("nk,kh->nh", x, w1) + b1)
    return b2 + jnp.einsum("nh,hk->nk", hidden, w2, out_sharding=jax.typeof(x).sharding)
