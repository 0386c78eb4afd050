# expects: stale-global at 10
import jax


def experiment():
    rate = 0.1

    @jax.jit
    def step(x):
        return x - rate * x

    first = step(1.0)
    rate = 0.5
    return first, step(1.0)


experiment()
