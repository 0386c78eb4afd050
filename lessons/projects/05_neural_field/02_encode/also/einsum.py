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
    down = (2 * jnp.arange(height) + 1) / height - 1  # a pixel is 2 / height high
    right = (2 * jnp.arange(width) + 1) / width - 1
    return jnp.stack(jnp.meshgrid(down, right, indexing="ij"), axis=-1).reshape(-1, 2)


def encode(places, waves):
    """Return sine and cosine of each wave at each place: (n, 2) and (2, m) give (n, 2 * m)."""
    turns = jnp.einsum("ni,im->nm", places, waves)
    both = jnp.stack([jnp.sin(2 * jnp.pi * turns), jnp.cos(2 * jnp.pi * turns)], axis=1)
    return both.reshape(places.shape[0], -1)
