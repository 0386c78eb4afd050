# expects: reverse-mode-through-while at 6
import jax


def power(x, n):
    return jax.lax.fori_loop(0, n, lambda i, a: a * x, 1.0)


jax.jit(jax.grad(power))(2.0, 3)
