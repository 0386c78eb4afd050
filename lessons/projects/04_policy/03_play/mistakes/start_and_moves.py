# expects: check keys
# says: Your episodes use one key for the start and for the moves. A key that has drawn something
#     is used up.
"""Uses the key of the start for the moves too."""

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
    """Return the states (length, 4), the actions (length,) and which steps count (length,)."""

    def move(carry, key):
        state, done = carry
        action = policy(key, state)
        return step(state, action), (state, action, ~done)  # done: over before this step

    keys = jax.random.split(key, length)
    return jax.lax.scan(move, (start, jnp.array(False)), keys)[1]


def play(policy, key, n, length):
    def one(key):
        return episode(policy, key, reset(key), length)

    return jax.vmap(one)(jax.random.split(key, n))
