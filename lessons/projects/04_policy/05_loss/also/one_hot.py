"""Adds the two parts apart, and chooses with one_hot."""

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
    """Return states (n, length, 4), actions (n, length) and alive (n, length) of n episodes."""
    start_key, move_key = jax.random.split(key)
    starts = jax.vmap(reset)(jax.random.split(start_key, n))
    one = jax.vmap(lambda key, start: episode(policy, key, start, length))
    return one(jax.random.split(move_key, n), starts)


def returns_to_go(rewards, alive, discount):
    """Return the discounted sum of the rewards from each step on, shape (length,)."""

    def back(later, reward):
        total = reward + discount * later
        return total, total

    counted = jnp.where(alive, rewards, 0.0)
    return jax.lax.scan(back, jnp.float32(0.0), counted, reverse=True)[1]


HIDDEN = 16


def init(key):
    """Return the parameters of two small networks: for the policy, and for the baseline."""

    def layers(key, outputs):
        return {
            "w": 0.5 * jax.random.normal(key, (4, HIDDEN)),
            "b": jnp.zeros(HIDDEN),
            "v": jnp.zeros((HIDDEN, outputs)),
            "c": jnp.zeros(outputs),
        }

    policy_key, baseline_key = jax.random.split(key)
    return {"policy": layers(policy_key, 2), "baseline": layers(baseline_key, 1)}


def network(layers, states):
    """Return what a network computes from states of shape (..., 4)."""
    hidden = jnp.tanh(states @ layers["w"] + layers["b"])
    return hidden @ layers["v"] + layers["c"]


def scores(params, states):
    """Return a score for each action; their softmax is the policy. The shape is (..., 2)."""
    return network(params["policy"], states)


def baseline(params, states):
    """Return the return that the program expects in each state, shape (...)."""
    return network(params["baseline"], states)[..., 0]


def loss(params, states, actions, alive, returns):
    expected = baseline(params, states)
    weights = jnp.where(alive, jax.lax.stop_gradient(returns - expected), 0.0)
    logs = jax.nn.log_softmax(scores(params, states), axis=-1)
    policy = -jnp.sum(weights[..., None] * jax.nn.one_hot(actions, 2) * logs)
    squares = jnp.where(alive, (expected - returns) ** 2, 0.0)
    return (policy + 0.5 * jnp.sum(squares)) / len(states)
