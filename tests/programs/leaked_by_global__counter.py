# expects: leaked-by-global at 11
import jax


total = 0.0


@jax.jit
def add(x):
    global total
    total = total + x
    return x


add(1.0)
add(2)
