# expects: check values
# says: Your place and angle change with the new speeds. In this step, all four numbers change by
#     slopes from its start.
"""Moves with the new speeds."""

import jax
import jax.numpy as jnp


DT = 0.02  # seconds
FORCE = 10.0  # newtons, to the left or to the right
EDGE = 2.4  # metres from the middle of the track to its end
TILT = 0.2  # radians; a pole that leans more has fallen


def accelerations(state, force):
    """Return how the speed of the cart and the turn of the pole change, per second."""
    _, _, angle, turn = state
    gravity, cart, pole, half = 9.8, 1.0, 0.1, 0.5  # m/s**2, kg, kg, half a length in metres
    total = cart + pole
    push = (force + pole * half * turn**2 * jnp.sin(angle)) / total
    lever = half * (4 / 3 - pole * jnp.cos(angle) ** 2 / total)
    turning = (gravity * jnp.sin(angle) - jnp.cos(angle) * push) / lever
    return push - pole * half * turning * jnp.cos(angle) / total, turning


def is_over(state):
    return (jnp.abs(state[0]) > EDGE) | (jnp.abs(state[2]) > TILT)


def step(state, action):
    place, speed, angle, turn = state
    cart, pole = accelerations(state, jnp.where(action == 1, FORCE, -FORCE))
    speed, turn = speed + DT * cart, turn + DT * pole
    moved = jnp.stack([place + DT * speed, speed, angle + DT * turn, turn])
    later = jnp.where(is_over(state), state, moved)
    return later, is_over(later)
