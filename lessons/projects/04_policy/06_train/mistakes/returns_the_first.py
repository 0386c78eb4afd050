# expects: check last
# says: Your parameters are those from the beginning. The loop returns the last ones in its carry.
"""Returns the first parameters."""

from functools import partial

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
    """Return a number whose gradient is that of REINFORCE, and of a baseline that learns."""
    logs = jax.nn.log_softmax(scores(params, states))
    taken = jnp.take_along_axis(logs, actions[..., None], axis=-1)[..., 0]
    better = returns - baseline(params, states)  # than expected
    # For the policy, this is a number that has been observed: the baseline must not learn from it.
    each = better**2 / 2 - taken * jax.lax.stop_gradient(better)
    return jnp.sum(jnp.where(alive, each, 0.0)) / states.shape[0]


DISCOUNT = 0.98
RATE = 0.01


def sample(params, key, state):
    """Return an action, drawn with the chances that the scores of the state give."""
    return jax.random.categorical(key, scores(params, state))


def adam_init(params):
    """Return the state of Adam before the first update: two averages of each parameter."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"m": zeros, "v": zeros}


def adam_update(grads, state, params, count):
    """Return parameters and state after update number `count`, which is 1 for the first."""
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)

    def move(p, m, v):
        m_hat, v_hat = m / (1 - 0.9**count), v / (1 - 0.99**count)
        return p - RATE * m_hat / (jnp.sqrt(v_hat) + 1e-8)

    return jax.tree.map(move, params, m, v), {"m": m, "v": v}


def train(key, updates, n, length):
    init_key, play_key = jax.random.split(key)
    params = init(init_key)

    def update(carry, now):
        params, state = carry
        key, count = now
        states, actions, alive = play(partial(sample, params), key, n, length)
        rewards = jnp.full(alive.shape, 1 - DISCOUNT)
        returns = jax.vmap(returns_to_go, in_axes=(0, 0, None))(rewards, alive, DISCOUNT)
        grads = jax.grad(loss)(params, states, actions, alive, returns)
        return adam_update(grads, state, params, count), jnp.mean(jnp.sum(alive, axis=1))

    each = jax.random.split(play_key, updates), jnp.arange(1, updates + 1)
    _, steps = jax.lax.scan(update, (params, adam_init(params)), each)
    return params, steps
