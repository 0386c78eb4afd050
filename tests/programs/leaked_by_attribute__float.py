# expects: leaked-by-attribute at 14
import jax


class Acc:
    total = 0.0


a = Acc()


@jax.jit
def add(x):
    a.total = a.total + x
    return x


add(1.0)
print(float(a.total))
