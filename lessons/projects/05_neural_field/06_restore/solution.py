"""A neural field: a small network that learns an image as a function of the place in it."""

import os
import sys
from functools import partial
from itertools import pairwise
from pathlib import Path
from zipfile import BadZipFile

import jax
import jax.numpy as jnp
import numpy as np


def scene(places):
    """Return the colours of the image at places (n, 2), shape (n, 3): a sun over a striped sea."""
    down, right = places[:, 0], places[:, 1]
    height = (down + 1) / 2
    colours = jnp.stack([0.15 + 0.5 * height, 0.3 + 0.3 * height, 0.7 - 0.2 * height], axis=1)

    def edge(distance):
        return jax.nn.sigmoid(40 * distance)  # 0 outside, 1 inside, with a narrow border

    sun = edge(0.4 - jnp.hypot(down + 0.25, right - 0.2))
    hill = edge(down - 0.1 + 0.25 * jnp.cos(3 * right + 2))
    sea = edge(down - 0.3)
    stripes = sea * (0.5 + 0.5 * jnp.sin(28 * down + 2 * jnp.sin(5 * right)))
    shares = [sun, hill, sea, stripes]
    paints = [[1.0, 0.85, 0.3], [0.1, 0.3, 0.15], [0.05, 0.25, 0.5], [0.7, 0.85, 0.95]]
    for share, paint in zip(shares, paints, strict=True):
        colours = colours + share[:, None] * (jnp.array(paint) - colours)
    return colours


def grid(height, width):
    """Return the centres of the pixels, row by row, shape (height * width, 2): down, right."""
    down = (2 * jnp.arange(height) + 1) / height - 1  # a pixel is 2 / height high
    right = (2 * jnp.arange(width) + 1) / width - 1
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    phases = 2 * jnp.pi * (places @ waves)  # a column of waves says how many turns per unit
    return jnp.concatenate([jnp.sin(phases), jnp.cos(phases)], axis=-1)


def init(key, sizes):
    """Return a list with a layer for each two neighbouring sizes: {"w": (a, b), "b": (b,)}."""
    keys = jax.random.split(key, len(sizes) - 1)  # a key of its own for each layer
    return [
        {"w": jax.random.normal(key, (a, b)) * (2 / a) ** 0.5, "b": jnp.zeros(b)}
        for key, (a, b) in zip(keys, pairwise(sizes), strict=True)
    ]


def predict(params, waves, places):
    """Return the colours of the network at places (n, 2), shape (n, 3), between 0 and 1."""
    x = encode(places, waves)  # in float32: the angle of a fast wave needs the digits
    for number, layer in enumerate(params):
        if number > 0:
            x = jax.nn.relu(x)
        product = x.astype(jnp.bfloat16) @ layer["w"].astype(jnp.bfloat16)
        x = product.astype(jnp.float32) + layer["b"]
    return jax.nn.sigmoid(x)


def loss(params, waves, places, colours):
    """Return the mean squared difference between the network's colours and the image's."""
    return jnp.mean((predict(params, waves, places) - colours) ** 2)


ROWS = 512
RATE = 5e-3


def fresh(key, sizes=(64, 64, 64, 3), speed=2.0):
    """Return the state of a run before its first step; the waves have `speed` turns per unit."""
    first, second, key = jax.random.split(key, 3)
    params = init(first, sizes)
    waves = speed * jax.random.normal(second, (2, sizes[0] // 2))
    zeros = jax.tree.map(jnp.zeros_like, params)
    run = {"params": params, "m": zeros, "v": zeros, "count": jnp.int32(0)}
    return {**run, "waves": waves, "key": key}


def adam(state, grads):
    """Return the state with new parameters, averages and count; the rest stays as it is."""
    count = state["count"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.99 * v + 0.01 * g**2, state["v"], grads)
    rate = RATE * jnp.sqrt(1 - 0.99**count) / (1 - 0.9**count)

    def move(p, m, v):
        return p - rate * m / (jnp.sqrt(v) + 1e-8)

    params = jax.tree.map(move, state["params"], m, v)
    return {**state, "params": params, "m": m, "v": v, "count": count}


@partial(jax.jit, static_argnames="steps")
def train(state, places, colours, steps):
    """Return the state after so many steps, and the loss of each step, shape (steps,)."""

    def step(state, _):
        key, now = jax.random.split(state["key"])  # one goes on, one draws
        rows = jax.random.randint(now, (ROWS,), 0, places.shape[0])
        batch = state["waves"], places[rows], colours[rows]
        value, grads = jax.value_and_grad(loss)(state["params"], *batch)
        return {**adam(state, grads), "key": key}, value

    return jax.lax.scan(step, state, length=steps)


def is_key(leaf):
    """Return whether a leaf of a state holds random keys."""
    return jnp.issubdtype(leaf.dtype, jax.dtypes.prng_key)


def save(path, state):
    """Write the leaves of a state to an npz file; the old file stays until the new one is whole."""
    leaves = [jax.random.key_data(x) if is_key(x) else x for x in jax.tree.leaves(state)]
    part = Path(f"{path}.part")
    try:
        with part.open("wb") as file:  # savez adds ".npz" to a name, and nothing to an open file
            np.savez(file, *map(np.asarray, leaves))
    except OSError:
        part.unlink(missing_ok=True)  # a full disk needs the room
        raise
    part.replace(path)  # in one step: there is a whole file of this name at any moment


def as_leaf(array, like):
    """Return an array from a file as a leaf of the kind of like; raise ValueError if it differs."""
    if is_key(like):
        array = jax.random.wrap_key_data(array, impl=jax.random.key_impl(like))
    elif array.dtype.kind == "V" and array.dtype.itemsize == like.dtype.itemsize:
        array = array.view(like.dtype)  # npz keeps the bytes of bfloat16, and not its name
    if (array.shape, array.dtype) != (like.shape, like.dtype):
        raise ValueError(f"{array.dtype}{array.shape} in place of {like.dtype}{like.shape}")
    return jnp.asarray(array)


def restore(path, like):
    """Return the state in a file; raise ValueError if it is not whole or does not fit like."""
    leaves, tree = jax.tree.flatten(like)
    try:
        with np.load(path) as file:
            arrays = [file[name] for name in file.files]
        pairs = zip(arrays, leaves, strict=True)
        return tree.unflatten([as_leaf(array, leaf) for array, leaf in pairs])
    except (BadZipFile, EOFError, TypeError, ValueError) as error:
        raise ValueError(f"{path} is not a checkpoint of this run: {error}") from error


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
