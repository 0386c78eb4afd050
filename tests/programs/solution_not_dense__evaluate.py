# expects: solution-not-dense at 13
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


class Decay:
    def __init__(self, rate):
        self.term = diffrax.ODETerm(lambda t, y, args: -rate * y)

    def solve(self, end):
        return diffrax.diffeqsolve(self.term, diffrax.Tsit5(), 0.0, end, 0.1, jnp.ones(1))

    def at(self, times):
        solution = self.solve(times[-1])
        return jax.vmap(solution.evaluate)(times)


print(Decay(0.5).at(jnp.linspace(0.0, 2.0, 5)))
