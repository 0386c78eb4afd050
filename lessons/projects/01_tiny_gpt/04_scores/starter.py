import jax
import jax.numpy as jnp

CONTEXT = 64
WIDTH = 64
LAYERS = 2


def init(key, layers=LAYERS):
    """Return fresh parameters; those of all blocks are stacked, the first axis is the layer."""
    keys = iter(jax.random.split(key, 7))

    def draw(*shape, scale=1.0):
        return scale * jax.random.normal(next(keys), shape) / shape[-2] ** 0.5

    return {
        "tok": draw(len(CHARS), WIDTH),
        "pos": draw(CONTEXT, WIDTH),
        "blocks": {
            "qkv": draw(layers, WIDTH, 3 * WIDTH),
            "out": draw(layers, WIDTH, WIDTH, scale=0.5),
            "up": draw(layers, WIDTH, 4 * WIDTH),
            "down": draw(layers, 4 * WIDTH, WIDTH, scale=0.5),
        },
        "head": draw(WIDTH, len(CHARS), scale=0.1),
    }


def logits(params, ids):
    """Return a score for each next character, of shape (len(ids), characters)."""
    x = params["tok"][ids]
    # TODO: add the places, go through the blocks in one loop, then the norm and the head.
    return x @ params["head"]
