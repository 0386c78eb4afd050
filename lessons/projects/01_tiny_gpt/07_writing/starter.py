import sys
import time
from functools import partial
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np


def empty_cache(params):
    """Return room for the keys and values of CONTEXT places, in each layer and head."""
    layers, width, _ = params["blocks"]["qkv"].shape
    room = jnp.zeros((layers, HEADS, CONTEXT, width // HEADS))
    return {"k": room, "v": room}


def next_logits(params, cache, token, place):
    """Return the scores after the token at a place, and the cache with that place filled."""
    # TODO: one row through all layers, with the earlier keys and values from the cache.
    x = params["tok"][token] + params["pos"][place]
    return norm(x) @ params["head"], cache


@partial(jax.jit, static_argnames="count")
def generate(params, key, prompt, count):
    """Return the prompt and `count` characters drawn one after the other; CONTEXT at most."""

    def step(carry, now):
        cache, token = carry
        key, place, given = now
        token = jnp.where(place < len(prompt), given, token)
        scores, cache = next_logits(params, cache, token, place)
        return (cache, jax.random.categorical(key, scores / 0.7)), token

    total = len(prompt) + count
    given = jnp.pad(prompt, (0, count))
    each = jax.random.split(key, total), jnp.arange(total), given
    return jax.lax.scan(step, (empty_cache(params), given[0]), each)[1]


def draw_curve(losses, width=64, height=12):
    """Return the loss curve as rows of text."""
    points = np.array([part.mean() for part in np.array_split(np.asarray(losses), width)])
    low, high = points.min(), points.max()
    heights = np.round((points - low) / max(high - low, 1e-9) * (height - 1)).astype(int)
    rows = ["".join("*" if h == row else " " for h in heights) for row in reversed(range(height))]
    labels = [f"{high:5.2f}", *["     "] * (height - 2), f"{low:5.2f}"]
    return "\n".join(f"{label} |{row}" for label, row in zip(labels, rows, strict=True))


def save(path, params):
    """Write a checkpoint: to a temporary file first, so that a full disk spoils nothing."""
    leaves = [np.asarray(leaf) for leaf in jax.tree.leaves(params)]
    temporary = path.with_name(path.name + ".part")
    try:
        with temporary.open("wb") as file:
            np.savez(file, *leaves)
        temporary.replace(path)
    except OSError as error:
        temporary.unlink(missing_ok=True)
        return f"The parameters were not saved: {error}."
    return f"The parameters are in {path}."


def save_picture(path, losses):
    """Write the loss curve as a PNG if matplotlib is installed."""
    try:
        import matplotlib.pyplot as plt
    except ImportError:
        return "For a PNG of the curve: pip install matplotlib"
    figure, axes = plt.subplots()
    axes.plot(np.asarray(losses))
    axes.set(xlabel="step", ylabel="loss in nats")
    try:
        figure.savefig(path)
    except OSError as error:
        return f"The picture was not saved: {error}."
    return f"The curve is in {path}."


def main():
    """Train, draw the curve, keep the parameters, and write a few lines."""
    here, began = Path(__file__), time.perf_counter()
    params, losses = train(jax.random.key(0), encode(TEXT), 400)
    bad = np.flatnonzero(~np.isfinite(losses))
    if bad.size:
        sys.exit(f"The training diverged: the loss is not finite at step {bad[0] + 1}.")
    print(draw_curve(losses))
    seconds = time.perf_counter() - began
    print(f"{len(losses)} steps in {seconds:.0f} s, loss {losses[-50:].mean():.2f}")
    print(save_picture(here.with_suffix(".png"), losses))
    print(save(here.with_suffix(".npz"), params))
    for start in ("Alice", "There", "In an"):
        key, prompt = jax.random.key(1), encode(start)
        print("-", decode(generate(params, key, prompt, CONTEXT - len(prompt))))


if __name__ == "__main__":
    main()
