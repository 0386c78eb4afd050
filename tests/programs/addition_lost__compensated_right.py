# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def add(state, x):
    total, lost = state
    part = x - lost
    new = total + part
    return new, (new - total) - part


state = jnp.bfloat16(0), jnp.bfloat16(0)
for _ in range(330):
    state = add(state, jnp.bfloat16(1))
print(state[0])
