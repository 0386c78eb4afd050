"""What a training run is."""

from functools import cache

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize, Traces, Uses

STATIC = ("steps",)
STRIPES, CYCLES = 40, 3.0
STEPS = 100
LEFT = 0.04
"""The largest mean loss of the last ten of 100 steps. The solution had at most 0.02 after 80 steps,
with five keys, and 0.006 after 120; a network without waves stays at 0.124, as a grey image."""


def in_two(answer):
    """Return state and losses; raise TypeError where the answer is not a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2 or not isinstance(answer[0], dict):
        raise TypeError("train returns two things, (state, losses), and the state is a dict")
    return answer


def subject(module):
    """Train, and return what holds for every key."""

    def facts(key, places, colours, steps):
        state, losses = in_two(module.train(start(key), places, colours, steps))
        names = ",".join(sorted(state))
        return {"losses": jnp.shape(losses)[0], "count": state["count"], names: True}

    facts.module = module
    facts.observed = cache(lambda: observe(module))
    return facts


def start(key):
    """Return the state of a network of one layer, which is compiled quickly."""
    w = jnp.linspace(-1, 1, 12).reshape(4, 3)
    params = [{"w": w, "b": jnp.zeros(3)}]
    zeros = jax.tree.map(jnp.zeros_like, params)
    waves = jnp.array([[1.0, 0.0], [0.0, 2.0]])
    run = {"params": params, "m": zeros, "v": zeros, "count": jnp.int32(0)}
    return {**run, "waves": waves, "key": key}


def table(rows):
    """Return places and colours that all hold their own number."""
    numbers = jnp.arange(rows, dtype=jnp.float32)[:, None]
    return jnp.tile(numbers, 2), jnp.tile(numbers, 3)


TABLE = table(1024)

EXAMPLES = [
    Call(jax.random.key(0), *TABLE, 3).gives(
        {"losses": 3, "count": 3, "count,key,m,params,v,waves": True}
    ),
    Call(jax.random.key(1), *TABLE, 3).gives(
        {"losses": 3, "count": 3, "count,key,m,params,v,waves": True}
    ),
]
WATCHED = 50
"""Steps whose rows are looked at."""
FLAGS = 2.0**19
"""More than the sum of 512 rows. With three flags above it, a code fits into 24 bits."""


def replaced(module, run, **functions):
    """Return what a run returns while functions of the learner's file are replaced."""
    own = {name: getattr(module, name) for name in functions}
    train = getattr(module.train, "__wrapped__", module.train)
    try:
        for name, function in functions.items():
            setattr(module, name, function)
        return run(lambda state, steps: in_two(train(state, *TABLE, steps)))
    finally:
        for name, function in own.items():
            setattr(module, name, function)


def observe(module):
    """Return the shapes and codes of the rows of each step, the states' numbers, and the last."""
    shapes = set()

    def loss(params, waves, places, colours):
        shapes.add(places.shape)
        rows = places[:, 0]
        apart = jnp.any(rows != colours[:, 0])
        flags = jnp.any(rows == 0) + 2 * jnp.any(rows == 1023) + 4 * apart
        return rows.sum() + FLAGS * flags + 0 * params[0]["w"].sum()

    def number(params, *_):
        return params[0]["w"][0, 0]

    def adam(state, grads):
        count = state["count"] + 1
        params = jax.tree.map(lambda p, m: m + count, state["params"], state["m"])
        return {**state, "params": params, "m": params, "count": count}

    def watch(train):
        run = jax.jit(lambda key: train(start(key), WATCHED)[1])
        return np.asarray(run(jax.random.key(5)))

    def count(train):
        run = jax.jit(lambda key: train(start(key), 4))
        state, numbers = run(jax.random.key(6))
        return np.asarray(numbers), float(state["params"][0]["w"][0, 0])

    codes = replaced(module, watch, loss=loss)
    return shapes, codes, *replaced(module, count, loss=number, adam=adam)


def batches(facts):
    """Return what is wrong with the rows of fifty steps."""
    shapes, codes, *_ = facts.observed()
    if not shapes:
        return "train does not call loss"
    if shapes != {(facts.module.ROWS, 2)}:
        return f"loss gets places of shape {sorted(shapes)}"
    flags, sums = np.divmod(codes, FLAGS)
    seen = np.bitwise_or.reduce(flags.astype(int))
    if seen & 4:
        return "places and colours of a batch are not from the same rows"
    if len(set(sums.tolist())) < 0.9 * WATCHED:
        return "several steps take the same rows"
    if seen != 3:  # each row is drawn 25 times, on average
        return "the rows do not come from the whole image"
    return None


def carried(facts):
    """Return what is wrong with the states, of which each has the sum of the counts so far."""
    *_, numbers, last = facts.observed()
    if last != 10 or numbers[1:].tolist() != [1, 3, 6]:
        if last == 10 and numbers.tolist() == [1, 3, 6, 10]:
            return "the losses are not those before the moves"
        return "a step does not start from everything that adam returned in the step before"
    return None


def goes_on(facts):
    """Compare a run of six steps with one of three and three."""
    module, begin = facts.module, start(jax.random.key(7))
    image = tuple(array / 1024 for array in TABLE)
    whole, losses = in_two(module.train(begin, *image, 6))
    half, first = in_two(module.train(begin, *image, 3))
    end, second = in_two(module.train(half, *image, 3))
    keys = [jax.random.key_data(state["key"]) for state in (begin, whole, end)]
    if np.array_equal(keys[0], keys[1]):
        return "the key in the state is the same as before the run"
    if not np.array_equal(keys[1], keys[2]):
        return "the keys of both states differ"
    if np.allclose(losses, np.concatenate([first, second]), rtol=1e-3):
        return None
    return (
        f"the last loss is {float(second[-1]):.4f} after three and three steps, "
        f"and {float(losses[-1]):.4f} after six"
    )


def learns(facts):
    """Return what is left of the loss on stripes that a network without waves sees as grey."""
    module = facts.module
    along = (2 * jnp.arange(STRIPES) + 1) / STRIPES - 1
    places = jnp.stack(jnp.meshgrid(along, along, indexing="ij"), axis=-1).reshape(-1, 2)
    bright = 0.5 + 0.5 * jnp.sin(CYCLES * jnp.pi * places.sum(axis=1))
    colours = jnp.tile(bright[:, None], 3)
    begin = module.fresh(jax.random.key(8), (64, 32, 3))
    losses = np.asarray(in_two(module.train(begin, places, colours, STEPS))[1])
    first, left = losses[0], losses[-10:].mean()
    if left < LEFT:
        return None
    if left > first or not np.isfinite(left):
        return (
            f"the training diverges: in {STEPS} steps the loss rises from {first:.3f} to {left:.3f}"
        )
    return f"after {STEPS} steps the loss is {left:.3f}, not below {LEFT}; a grey image has 0.125"


PROPERTIES = [
    Uses([Call(jax.random.key(0), *TABLE, 3)], ("scan", "while"), says="The steps are one loop."),
    SameSize(
        [Call(jax.random.key(0), *TABLE, 3), Call(jax.random.key(0), *TABLE, 30)],
        says="Thirty steps take no more equations than three.",
    ),
    Traces([Call(jax.random.key(0), *TABLE, 3), Call(jax.random.key(1), *TABLE, 3)]),
    KeysOnce([Call(jax.random.key(3), *TABLE, 3)]),
    Custom("batches", "Each step draws rows of its own, from the whole image.", batches),
    Custom("carried", "Each step goes on from what the step before left.", carried),
    Custom("goes-on", "Three steps and three more are the same as six.", goes_on),
    Custom("learns", f"After {STEPS} steps on stripes the loss is below {LEFT}.", learns),
]
