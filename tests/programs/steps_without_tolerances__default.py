# expects: steps-without-tolerances at 12
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


@jax.jit
def fall(height):
    term = diffrax.ODETerm(lambda t, y, args: jnp.stack([y[1], -9.81 - 0.1 * y[1]]))
    start = jnp.array([height, 0.0])
    return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, None, start).ys[-1]


print(fall(100.0))
