# expects: missing-import at 5
import jax


@partial(jax.jit, static_argnames="n")
def f(x, n):
    return x * n
