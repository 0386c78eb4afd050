# expects: traced-bool-in-not at 6
import jax


def cond(s):
    return not s[1]


jax.lax.while_loop(cond, lambda s: (s[0] + 1, s[0] > 3), (0, False))
