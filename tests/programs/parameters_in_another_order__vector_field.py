# expects: parameters-in-another-order at 8
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


def predators(y, t, args):
    foxes, hares = y
    return jnp.array([foxes * (0.1 * hares - 0.5), hares * (1.0 - 0.2 * foxes)])


@jax.jit
def season(start):
    term = diffrax.ODETerm(predators)
    return diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, start).ys[-1]


print(season(jnp.array([2.0, 8.0])))
