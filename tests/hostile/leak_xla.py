# expects: crashed|raised: memory
# It keeps arrays of JAX until there is no memory.
# or: timed_out: still running after
import jax.numpy as jnp

kept = []
while True:
    kept.append(jnp.ones(10**6).block_until_ready())
