# expects: reverse-mode-through-while at 6
import jax


def f(x):
    return jax.lax.while_loop(lambda v: v < 10.0, lambda v: v * 2, x)


jax.grad(f)(1.0)
