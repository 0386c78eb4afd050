# expects: shape-mismatch-matmul at 8
# needs: equinox
import equinox as eqx
import jax
import jax.numpy as jnp

net = eqx.nn.Sequential([eqx.nn.Conv2d(1, 4, 3, key=jax.random.key(0))])
logits = net(jnp.ones((16, 1, 8, 8)))
