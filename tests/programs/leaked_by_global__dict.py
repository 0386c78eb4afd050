# expects: leaked-by-global at 10
import jax


STATE = {}


@jax.jit
def update(x):
    STATE["last"] = x * 2
    return x


update(1.0)
print(STATE["last"] + 1)
