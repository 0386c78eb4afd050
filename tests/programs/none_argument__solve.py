# expects: none-argument at 18
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


class Oscillator:
    @staticmethod
    def field(t, y, stiffness):
        position, velocity = y
        return velocity, -stiffness * position


@jax.jit
def final(stiffness, y0=(1.0, 0.0)):
    y0 = tuple(map(jnp.asarray, y0))
    solution = diffrax.diffeqsolve(
        diffrax.ODETerm(Oscillator.field), diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.1, y0=y0
    )
    return solution.ys[0][-1]


print(final(jnp.float32(4.0)))
