# expects: steps-without-error-estimates at 13
# needs: diffrax
import jax.numpy as jnp
from diffrax import Euler, ODETerm, PIDController, diffeqsolve


def heat(t, y, args):
    return args * (jnp.roll(y, 1) - 2 * y + jnp.roll(y, -1))


def diffuse(y0, seconds, solver):
    controller = PIDController(rtol=1e-3, atol=1e-5)
    return diffeqsolve(
        ODETerm(heat), solver, 0.0, seconds, 0.01, y0, args=0.5, stepsize_controller=controller
    ).ys


print(diffuse(jnp.eye(5)[0], 2.0, Euler()))
