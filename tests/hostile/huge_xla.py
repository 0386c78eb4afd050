# expects: crashed|raised: memory
# It asks XLA for one array larger than any machine.
# or: timed_out: still running after
import jax.numpy as jnp

x = jnp.zeros((10**7, 10**6)).block_until_ready()
