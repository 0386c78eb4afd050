# expects: stale-global at 10
import jax


RATE = 0.1


@jax.jit
def step(x):
    return x - RATE * x


step(1.0)
RATE = 0.5
step(1.0)
