"""A run that survives an interruption."""

import os
import sys
from pathlib import Path

import jax
import jax.numpy as jnp
import numpy as np


def save(path, state):
    """Write the leaves of a state to an npz file; the old file stays until the new one is whole."""
    np.savez(path, *jax.tree.leaves(state))


def restore(path, like):
    """Return the state in a file; raise ValueError if it is not whole or does not fit like."""
    # TODO: both functions lack keys. save writes into the old file, and restore accepts any file.
    with np.load(path) as file:
        return jax.tree.unflatten(jax.tree.structure(like), [file[name] for name in file.files])


FILE = Path("neural_field.npz")
SIDE, STEPS, EVERY = 96, 3000, 500


def psnr(found, wanted):
    """Return how close two images are, in decibels: 20 for differences of 0.1, 40 for 0.01."""
    return -10 * jnp.log10(jnp.mean((found - wanted) ** 2))


def colour_of(rgb):
    """Return a colour as a code for terminals: one of 16 million, or one of the common 216."""
    if os.environ.get("COLORTERM") in ("truecolor", "24bit"):
        return "2;{};{};{}".format(*np.round(255 * rgb).astype(int))
    red, green, blue = np.round(5 * rgb).astype(int)
    return f"5;{16 + 36 * red + 6 * green + blue}"


def is_plain():
    """Return whether to draw with characters alone."""
    utf = (sys.stdout.encoding or "").lower().startswith("utf")
    quiet = "--plain" in sys.argv or "NO_COLOR" in os.environ or os.environ.get("TERM") == "dumb"
    return quiet or not sys.stdout.isatty() or not utf


def draw(image, plain):
    """Return the lines of an image (rows, columns, 3), each of which holds two rows."""
    lines = []
    for upper, lower in zip(image[::2], image[1::2], strict=True):
        if plain:
            bright = (upper.mean(axis=1) + lower.mean(axis=1)) / 2
            lines.append("".join(" .:-=+*#%@"[min(int(10 * value), 9)] for value in bright))
        else:
            cells = zip(upper, lower, strict=True)
            text = "".join(f"\x1b[38;{colour_of(a)};48;{colour_of(b)}m▀" for a, b in cells)
            lines.append(f"{text}\x1b[0m")
    return lines


def save_picture(images, file):
    """Save images side by side as a PNG; return whether matplotlib is there to do it."""
    try:
        from matplotlib.figure import Figure
    except ImportError:
        return False
    figure = Figure(figsize=(10, 5), layout="constrained")
    for axes, (title, image) in zip(figure.subplots(1, 2), images.items(), strict=True):
        axes.imshow(np.clip(image, 0, 1))
        axes.set_title(title)
        axes.set_axis_off()
    figure.savefig(file)
    return True


def begin():
    """Return the state of the run in the file, or that of a new run if there is no file."""
    state = fresh(jax.random.key(0))
    if not FILE.exists():
        return state
    try:
        state = restore(FILE, state)
    except ValueError as error:
        raise SystemExit(f"{error}\nDelete the file to start again.") from error
    print(f"{FILE} has step {state['count']}. Delete it to start again.")
    return state


def advance(state, places, colours):
    """Return the state some steps later, and save it."""
    state, losses = train(state, places, colours, EVERY)
    if not np.isfinite(losses[-1]):
        raise SystemExit(f"The training diverged before step {state['count']}.")
    try:
        save(FILE, state)
    except OSError as error:
        print(f"The state was not saved: {error}")
    return state


def main():
    """Train the network, which may be interrupted at any time, and draw it beside its target."""
    places = grid(SIDE, SIDE)
    colours, state, show = scene(places), begin(), jax.jit(predict)
    between = grid(2 * SIDE + 1, 2 * SIDE + 1)  # none of these is the centre of a pixel
    while state["count"] < STEPS:
        state = advance(state, places, colours)
        found = show(state["params"], state["waves"], between)
        print(f"step {state['count']}: {psnr(found, scene(between)):.1f} dB between the pixels")

    def images(side):
        points = grid(side, side)
        found = show(state["params"], state["waves"], points)
        both = {"the formula": scene(points), "the network": found}
        return {name: np.asarray(each).reshape(side, side, 3) for name, each in both.items()}

    drawings = [draw(image, is_plain()) for image in images(38).values()]
    print("\n".join(map("  ".join, zip(*drawings, strict=True))))
    if save_picture(images(256), "neural_field.png"):
        print("The picture is in neural_field.png.")


if __name__ == "__main__":
    main()
