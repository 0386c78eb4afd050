# expects: not-a-jax-type at 14
import enum

import jax
import jax.numpy as jnp

Status = enum.Enum("Status", "RUNNING DONE")


@jax.jit
def newton(x, target):
    for _ in range(5):
        x = x - (x**2 - target) / (2 * x)
    return x, {"residual": jnp.abs(x**2 - target), "status": Status.DONE}


root, info = newton(jnp.array(3.0), 2.0)
print(root, info["status"])
