# expects: traced-bool-in-while at 10
import jax
import jax.numpy as jnp


class Solver:
    tol = 1e-3

    def solve(self, x):
        while jnp.abs(x * x - 2.0) > self.tol:
            x = 0.5 * (x + 2.0 / x)
        return x


jax.jit(Solver().solve)(1.0)
