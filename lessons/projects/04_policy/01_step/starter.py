"""Policy: a cart that learns to balance a pole."""

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


def reset(key):
    """Return a state near the middle of the track, with the pole nearly upright, shape (4,)."""
    return jax.random.uniform(key, (4,), minval=-0.05, maxval=0.05)


def step(state, action):
    """Return the state a moment later, and whether the episode is over by then."""
    # TODO: Python cannot decide here: action and state are traced. What is over has to stay over.
    force = FORCE if action == 1 else -FORCE
    cart, pole = accelerations(state, force)
    _, speed, _, turn = state
    later = state + DT * jnp.stack([speed, cart, turn, pole])
    return later, abs(later[0]) > EDGE or abs(later[2]) > TILT
