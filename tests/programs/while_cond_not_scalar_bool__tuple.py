# expects: while-cond-not-scalar-bool at 7
import jax


def go(s):
    i, err = s
    return i < 3, err > 1


jax.lax.while_loop(go, lambda s: (s[0] + 1, s[1] / 2), (0, 4.0))
