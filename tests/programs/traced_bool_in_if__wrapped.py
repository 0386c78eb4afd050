# expects: traced-bool-in-if at 6
import jax


def check(x):
    if x < 0:
        return -x
    return x


@jax.jit
def f(x):
    try:
        return check(x)
    except Exception as error:
        raise RuntimeError("the check failed") from error


f(1.0)
