# expects: parameters-in-another-order at 6
import jax.numpy as jnp
from jax.experimental.ode import odeint


def pendulum(t, y, length):
    angle, speed = y
    return jnp.array([speed, -9.81 / length * jnp.sin(angle)])


print(odeint(pendulum, jnp.array([0.1, 0.0]), jnp.linspace(0.0, 1.0, 10), 2.0))
