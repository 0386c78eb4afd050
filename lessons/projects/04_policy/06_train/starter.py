"""Training, and a program that shows it."""

import time
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np

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
    """Return the parameters after so many updates, and the mean number of steps in each."""
    params, steps = init(key), []
    # TODO: there is no optimiser, one key serves all, and each update is in the program.
    for _ in range(updates):
        states, actions, alive = play(partial(sample, params), key, n, length)
        returns = jnp.where(alive, 1.0, 0.0)
        grads = jax.grad(loss)(params, states, actions, alive, returns)
        params = jax.tree.map(lambda p, g: p - RATE * g, params, grads)
        steps.append(alive.sum(axis=1).mean())
    return params, jnp.stack(steps)


def draw_curve(values, columns=60, rows=10):
    """Return a text that shows how the values change from left to right."""
    places = np.linspace(0, len(values) - 1, columns).round().astype(int)
    shown = np.asarray(values)[places]
    levels = np.round(shown / shown.max() * (rows - 1)).astype(int)
    lines = []
    for row in reversed(range(rows)):
        label = f"{shown.max():.0f}" if row == rows - 1 else "0" if row == 0 else ""
        cells = "".join("*" if level == row else " " for level in levels)
        lines.append(f"{label:>5} |{cells}".rstrip())
    return "\n".join(lines)


def draw_poses(states, times, rows=5):
    """Return a text with the cart and its pole at some of the states, side by side."""
    panels = []
    for t in times:
        place, _, angle, _ = np.asarray(states[t])
        sign = "|" if abs(angle) < 0.02 else "/" if angle > 0 else "\\"
        # A character is twice as high as it is wide, and the angle is drawn twice as large.
        columns = [5 + round(4 * row * float(angle)) for row in range(rows, 0, -1)]
        pole = [(" " * column + sign).ljust(12) for column in columns]
        labels = [f"{t * DT:.1f} s", f"{place:+.2f} m"]
        panels.append([*pole, "   [===]".ljust(12), *(label.center(12) for label in labels)])
    return "\n".join("".join(line).rstrip() for line in zip(*panels, strict=True))


def save_picture(steps, states, file):
    """Save the learning curve and an episode as a PNG; return whether matplotlib is there."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(7, 6))
    learning, balancing = figure.subplots(2)
    learning.plot(np.asarray(steps))
    learning.set(xlabel="update", ylabel="mean steps")
    times = DT * np.arange(len(states))
    balancing.plot(times, np.asarray(states[:, 0]), label="place (m)")
    balancing.plot(times, np.asarray(states[:, 2]), label="angle (rad)")
    balancing.set_xlabel("s")
    balancing.legend()
    figure.tight_layout()
    figure.savefig(file)
    return True


def show_episode(params, key, length):
    """Play an episode, print some of its poses, and return its states up to its end."""
    states, _, alive = (part[0] for part in play(partial(sample, params), key, 1, length))
    end = int(alive.sum())
    print(draw_poses(states, np.linspace(0, end - 1, 6).round().astype(int)))
    return states[:end]


def main():
    """Learn to balance the pole, and show how it went."""
    length, began = 500, time.monotonic()
    train_key, test_key, first_key, last_key = jax.random.split(jax.random.key(0), 4)
    run = jax.jit(train, static_argnums=(1, 2, 3))
    params, steps = run(train_key, 300, 128, length)
    steps.block_until_ready()
    print(f"300 updates with 128 episodes each, in {time.monotonic() - began:.1f} s")
    print(draw_curve(steps))

    print("\nBefore:")
    show_episode(init(first_key), first_key, length)
    print("\nAfter:")
    states = show_episode(params, last_key, length)

    alive = jax.jit(lambda key: play(partial(sample, params), key, 1000, length)[2])(test_key)
    balanced = alive.sum(axis=1)
    print(
        f"\n1000 new episodes: balanced for {balanced.mean():.0f} of {length} steps on average, "
        f"to the end in {(alive[:, -1]).mean():.0%}"
    )
    if save_picture(steps, states, "policy.png"):
        print("The picture is in policy.png.")


if __name__ == "__main__":
    main()
