# expects: state-for-step at 13
# needs: diffrax
import diffrax
import jax.numpy as jnp


class Circle:
    def field(self, t, y, args):
        return jnp.stack([y[1], -y[0]])

    def run(self, start, end, step):
        term = diffrax.ODETerm(self.field)
        return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, end, start, step).ys[-1]


print(Circle().run(jnp.array([1.0, 0.0]), 2.0, 0.05))
