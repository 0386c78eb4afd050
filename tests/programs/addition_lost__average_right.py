# expects: nothing
import jax
import jax.numpy as jnp


@jax.jit
def update(state, x):
    return {"mean": state["mean"] * 0.9 + x.mean() * 0.1, "rounds": state["rounds"] + 1}


state = {"mean": jnp.float32(0), "rounds": jnp.int32(0)}
for n in range(330):
    state = update(state, jnp.ones(3 if n < 300 else 4) * 7)
print(state)
