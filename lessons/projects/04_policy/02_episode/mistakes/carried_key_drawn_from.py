# expects: prng-key-reuse at 52
"""Draws with the key that is carried on and split in the next step."""

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


def is_over(state):
    """Return whether the cart has left the track or the pole has fallen."""
    return (jnp.abs(state[0]) > EDGE) | (jnp.abs(state[2]) > TILT)


def step(state, action):
    """Return the state a moment later, and whether the episode is over by then."""
    _, speed, _, turn = state
    cart, pole = accelerations(state, jnp.where(action == 1, FORCE, -FORCE))
    moved = state + DT * jnp.stack([speed, cart, turn, pole])  # all slopes are old ones
    later = jnp.where(is_over(state), state, moved)  # an episode that is over does not move
    return later, is_over(later)


def episode(policy, key, start, length):
    def move(carry, _):
        state, key, done = carry
        key, own = jax.random.split(key)
        action = policy(key, state)
        later, over = step(state, action)
        return (later, key, over), (state, action, ~done)

    first = (start, key, jnp.array(False))
    return jax.lax.scan(move, first, length=length)[1]
