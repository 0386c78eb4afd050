# expects: traced-static-param at 21
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


class ODE:
    def __init__(self, rate):
        self.rate = rate

    def field(self, t, y, args):
        return self.rate * y

    def solve(self, y0, n):
        term = diffrax.ODETerm(self.field)
        return diffrax.diffeqsolve(term, diffrax.Heun(), 0.0, 1.0, 0.1, y0, max_steps=n).ys


ode = ODE(-1.0)
run = jax.jit(lambda y, n: ode.solve(y, n))
print(run(jnp.ones(2), 100))
