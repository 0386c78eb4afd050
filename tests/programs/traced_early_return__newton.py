# expects: traced-early-return at 8
import jax


def newton(x):
    for _ in range(20):
        new = 0.5 * (x + 2 / x)
        if abs(new - x) < 1e-6:
            break
        x = new
    return x


jax.jit(newton)(1.0)
