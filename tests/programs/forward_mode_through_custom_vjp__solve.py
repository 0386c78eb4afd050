# expects: forward-mode-through-custom-vjp at 16
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def final(rate):
    term = diffrax.ODETerm(lambda t, y, args: -args * y)
    solution = diffrax.diffeqsolve(
        term, diffrax.Tsit5(), t0=0.0, t1=1.0, dt0=0.1, y0=jnp.ones(2), args=rate
    )
    return solution.ys[0]


print(jax.jacfwd(final)(jnp.array([0.5, 1.0])))
