# expects: wrong-arity at 9
# needs: diffrax
import diffrax
import jax.numpy as jnp

RATES = (0.5, 0.2)


def tanks(t, y, filling, draining):
    return jnp.array([filling - draining * y[0], draining * (y[0] - y[1])])


term = diffrax.ODETerm(tanks)
start = jnp.zeros(2)
print(diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 5.0, 0.1, start, args=RATES).ys)
