# expects: float-equality at 7
import jax.numpy as jnp

time = jnp.float32(0.0)
for _ in range(15):
    time = time + 0.1
    if time == 1.0:
        print("one second")
