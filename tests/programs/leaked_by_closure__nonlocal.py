# expects: leaked-by-closure at 12
import jax
import jax.numpy as jnp


def make():
    best = 0.0

    @jax.jit
    def update(x):
        nonlocal best
        best = jnp.maximum(best, x)
        return x

    def read():
        return best + 1

    return update, read


update, read = make()
update(1.0)
read()
