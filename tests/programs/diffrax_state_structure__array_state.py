# expects: diffrax-state-structure at 9
# needs: diffrax
import diffrax
import jax.numpy as jnp


def lotka(t, y, args):
    prey, predator = y
    return [prey - prey * predator, prey * predator - predator]


y0 = jnp.array([1.0, 2.0])
sol = diffrax.diffeqsolve(diffrax.ODETerm(lotka), diffrax.Tsit5(), 0.0, 1.0, 0.1, y0)
print(sol.ys)
