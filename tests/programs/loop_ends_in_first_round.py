# expects: loop-ends-in-first-round at 16
import jax
import jax.numpy as jnp


@jax.jit
def step(w, x):
    return w - 0.1 * (w - x.mean()), jnp.abs(w - x.mean())


def epoch(w, rows, size):
    errors = []
    for start in range(0, len(rows), size):
        w, error = step(w, rows[start : start + size])
        errors.append(error)
        return w, jnp.stack(errors)


print(epoch(jnp.float32(0.0), jnp.arange(8.0), 2))
