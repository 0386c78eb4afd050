# expects: checkify-not-functionalized at 10
import jax


from jax.experimental import checkify


@jax.jit
def f(x):
    checkify.check(x > 0, "positive")
    return x


f(1.0)
