# expects: debug-print-format at 7
import jax


@jax.jit
def f(x):
    jax.debug.print(f"x = {x}", x=x)
    return x


f(1.0)
