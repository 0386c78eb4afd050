# expects: fori-body-args-swapped
import jax


def power(x):
    def step(state, k):
        return (state[0] * x, k)

    return jax.lax.fori_loop(0, 3, step, (1.0, 0))


power(2.0)
