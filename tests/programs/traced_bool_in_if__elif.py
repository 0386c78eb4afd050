# expects: traced-bool-in-if at 9
import jax


@jax.jit
def grade(score, flag=True):
    if flag is None:
        return score
    elif score > 0.5:
        return 1.0
    return 0.0


grade(0.3)
