"""A neural field: a small network that learns an image as a function of the place in it."""

import jax
import jax.numpy as jnp


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
    down, right = jnp.divmod(jnp.arange(height * width), width)  # of each pixel's number
    places = jnp.stack([(down + 0.5) / height, (right + 0.5) / width], axis=1)
    return 2 * places - 1
