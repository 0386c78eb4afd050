import jax
import jax.numpy as jnp

CONTEXT = 64
WIDTH = 64
LAYERS = 2


def init(key, layers=LAYERS):
    """Return fresh parameters; those of all blocks are stacked, the first axis is the layer."""
    keys = jax.random.split(key, 7)

    def draw(key, *shape, scale=1.0):
        return scale * jax.random.normal(key, shape) / shape[-2] ** 0.5

    return {
        "tok": draw(keys[0], len(CHARS), WIDTH),
        "pos": draw(keys[1], CONTEXT, WIDTH),
        "blocks": {
            "qkv": draw(keys[2], layers, WIDTH, 3 * WIDTH),
            "out": draw(keys[3], layers, WIDTH, WIDTH, scale=0.5),
            "up": draw(keys[4], layers, WIDTH, 4 * WIDTH),
            "down": draw(keys[5], layers, 4 * WIDTH, WIDTH, scale=0.5),
        },
        "head": draw(keys[6], WIDTH, len(CHARS), scale=0.1),
    }


def logits(params, ids):
    """Return a score for each next character, of shape (len(ids), characters)."""
    x = params["tok"][ids]
    # TODO: add the places, go through the blocks in one loop, then the norm and the head.
    return x @ params["head"]
