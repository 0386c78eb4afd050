# expects: wrong-arity at 8
# needs: diffrax
import diffrax
import jax.numpy as jnp


def solve(field, y0, ts):
    return diffrax.diffeqsolve(
        diffrax.ODETerm(field), diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.1, y0=y0, ts=ts
    )


solve(lambda t, y, args: -y, jnp.ones(2), jnp.linspace(0.0, 1.0, 5))
