# expects: wrong-arity at 7
# needs: diffrax
import diffrax
import jax.numpy as jnp


def pendulum(t, y):
    return jnp.array([y[1], -jnp.sin(y[0])])


term = diffrax.ODETerm(pendulum)
diffrax.diffeqsolve(term, diffrax.Tsit5(), 0.0, 1.0, 0.1, jnp.array([0.5, 0.0]))
