# expects: wrong-arity at 11
# needs: diffrax
import diffrax
import jax.numpy as jnp


def decay(t, y, args):
    return -0.5 * y


def is_low(t, y, args):
    return y < 0.25


solution = diffrax.diffeqsolve(
    diffrax.ODETerm(decay),
    diffrax.Heun(),
    t0=0.0,
    t1=10.0,
    dt0=0.1,
    y0=jnp.array(1.0),
    event=diffrax.Event(is_low),
)
print(solution.ts)
