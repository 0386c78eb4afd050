# expects: stale-global at 12
import jax
import jax.numpy as jnp

calls = 0


@jax.jit
def decay(x):
    global calls
    calls += 1
    return x * 0.9**calls


x = jnp.float32(1.0)
for _ in range(3):
    x = decay(x)
