# expects: traced-bool-in-and-or at 8
from jax import lax


def run(x):
    def cond(s):
        i, v = s
        return i < 10 and v > 1.0

    return lax.while_loop(cond, lambda s: (s[0] + 1, s[1] / 2), (0, x))


run(8.0)
