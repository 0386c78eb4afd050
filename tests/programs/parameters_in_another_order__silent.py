# expects: parameters-in-another-order at 7
# needs: diffrax
import diffrax
import jax.numpy as jnp


def cooling(state, time, args):
    return -args * state


term = diffrax.ODETerm(cooling)
rooms = jnp.array([20.0, 25.0])
print(diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, rooms, args=0.3).ys)
