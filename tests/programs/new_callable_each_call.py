# expects: new-callable-each-call at 6
import jax


def apply(x):
    f = jax.jit(lambda v: v * 2)
    return f(x)


for _ in range(4):
    apply(1.0)
