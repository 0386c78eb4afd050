# expects: recursion-under-trace at 6
import jax


def fact(n):
    return jax.lax.cond(n <= 1, lambda k: 1, lambda k: k * fact(k - 1), n)


jax.jit(fact)(5)
