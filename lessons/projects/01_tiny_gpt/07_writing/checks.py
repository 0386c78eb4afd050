"""What writing with a cache is."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, LargestIntermediate, SameSize, Traces

CHARACTERS, WIDTH, PLACES, HEADS = 7, 8, 24, 4
SHAPES = {"qkv": (WIDTH, 3 * WIDTH), "out": (WIDTH, WIDTH)}
SHAPES |= {"up": (WIDTH, 4 * WIDTH), "down": (4 * WIDTH, WIDTH)}


def subject(module):
    """Return the learner's function, with its module for what compares two of its functions."""

    def next_logits(params, cache, token, place):
        return module.next_logits(params, cache, token, place)

    next_logits.module = module
    return next_logits


def parameters(rng, layers):
    """Draw the parameters of a small model."""

    def draw(*shape):
        return (0.4 * rng.normal(size=shape)).astype(np.float32)

    return {
        "tok": draw(CHARACTERS, WIDTH),
        "pos": draw(PLACES, WIDTH),
        "blocks": {name: draw(layers, *shape) for name, shape in SHAPES.items()},
        "head": draw(WIDTH, CHARACTERS),
    }


def cache(rng, layers, filled):
    """Make a cache whose first places are filled; the others hold numbers of another text."""
    shape = (layers, HEADS, PLACES, WIDTH // HEADS)
    room = {name: rng.normal(size=shape).astype(np.float32) for name in "kv"}
    for leaf in room.values():
        leaf[:, :, filled:] *= 3.0
    return room


RNG = np.random.default_rng(0)
SMALL = parameters(RNG, 2)
SILENT = {**SMALL, "head": 0 * SMALL["head"]}
SILENT["blocks"] = {name: 0 * leaf for name, leaf in SMALL["blocks"].items()}
EMPTY = {name: 0 * leaf for name, leaf in cache(RNG, 2, 0).items()}


def token(number):
    """Make a whole number that is an array, as in a loop."""
    return np.array(number, np.int32)


EXAMPLES = [
    Call(SILENT, EMPTY, token(3), token(0)).gives((np.zeros(7).tolist(), EMPTY)),
    Call(SILENT, EMPTY, token(3), token(5)).gives((np.zeros(7).tolist(), EMPTY)),
]


def hidden(rng):
    """Yield the first place, one in the middle, the last one, and another depth."""
    yield Call(SMALL, EMPTY, token(2), token(0))
    yield Call(SMALL, cache(rng, 2, 9), token(4), token(9)).when("a cache with old entries")
    yield Call(SMALL, cache(rng, 2, 23), token(0), token(23)).when("the last place")
    yield Call(parameters(rng, 4), cache(rng, 4, 3), token(6), token(3)).when("four layers")


def same(next_logits):
    """Compare with the scores for the whole text, place after place."""
    module, params = next_logits.module, jax.tree.map(jnp.asarray, SMALL)
    ids = np.random.default_rng(2).integers(0, CHARACTERS, 10).astype(np.int32)
    room, step = jax.tree.map(jnp.asarray, EMPTY), jax.jit(next_logits)
    with jax.default_matmul_precision("float32"):  # else a GPU keeps three digits
        wanted = np.asarray(module.logits(params, jnp.asarray(ids)))
        for place, number in enumerate(ids):
            scores, room = step(params, room, jnp.int32(number), jnp.int32(place))
            if not np.allclose(scores, wanted[place], atol=1e-4):
                return f"at place {place} the scores are not those of logits for the whole text"
    return None


def writes(next_logits):
    """Return whether the given program runs with this function."""
    module = next_logits.module
    prompt = module.encode("Alice")
    key = jax.random.key(0)
    written = module.generate(module.init(jax.random.key(1)), key, prompt, 8)
    if np.shape(written) != (13,) or not np.array_equal(written[:5], prompt):
        return "generate does not return the prompt and eight characters more"
    return None


LONG = [Call(SMALL, cache(RNG, 2, place), token(1), token(place)) for place in (4, 11, 20)]

PROPERTIES = [
    Traces(LONG, says="It is traced once for all places."),
    SameSize(
        [
            Call(parameters(RNG, 2), cache(RNG, 2, 4), token(1), token(4)),
            Call(parameters(RNG, 8), cache(RNG, 8, 4), token(1), token(4)),
        ],
        says="Eight layers need no more equations than two.",
    ),
    LargestIntermediate(
        LONG[:1],
        2 * HEADS * PLACES * WIDTH,
        says="No table of all pairs of places is built.",
    ),
    Custom("same", "The scores are those of logits for the whole text so far.", same),
    Custom("writes", "The program writes with it.", writes),
]
