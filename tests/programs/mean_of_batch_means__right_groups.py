# expects: nothing
import jax
import jax.numpy as jnp
import numpy as np


@jax.jit
def error(w, x):
    return jnp.mean((w * x - 1.0) ** 2)


@jax.jit
def largest(w, x):
    return jnp.max((w * x - 1.0) ** 2)


# Every class counts the same, however many examples it has.
x = jnp.linspace(0.0, 1.0, 30)
groups = {"small": x[:6], "medium": x[6:16], "large": x[16:]}
per_group = [error(0.5, rows) for rows in groups.values()]
print(np.mean(per_group), max(map(float, per_group)))

parts = [x[i : i + 8] for i in range(0, 30, 8)]
print(np.mean([largest(0.5, part) for part in parts]))
