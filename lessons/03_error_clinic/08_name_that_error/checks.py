"""What name-that-error requires: programs of many kinds, each with its name."""

import math

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom

JIT = False

TIDES = np.array([0.4, 1.9, 3.2, 2.1], np.float32)
NOTES = ["do", "re", "mi"]


def absolute(x):
    return x if x > 0 else -x


def halve_until_small(x):
    while x > 1.0:
        x = x / 2
    return x


def in_range(x):
    return jnp.where(0.0 < x < 1.0, x, 0.0)


def at_most_ten(x):
    return min(x, 10.0)


def to_float(x):
    return x * float(x)


def coldest(x, axis):
    return x.min(axis)


def find_peaks(x):
    return jnp.where(x > 2.0)


def bearing(x):
    return math.sin(x)


def count_up(n):
    return jnp.arange(n)


def sing(i):
    return len(NOTES[i])


def repeat(n):
    return sum(i for i in range(n))


def loudness(x):
    return np.log10(x)


def tide(i):
    return TIDES[i]


def only_positive(x):
    return x[x > 0].sum()


def clip_by_mask(x):
    return x.at[x < 0].set(0)


def got_away(x):
    kept = []
    jax.vmap(lambda v: kept.append(v + 1))(jnp.ones(3))
    return kept[0] * x


def empty_page(n):
    return jnp.zeros((n, 80))


def tall(x, n):
    return x.reshape(n, 1)


def unit_matrix(n):
    return jnp.eye(n)


def first_few(x, n):
    return x[:n]


def vector_if(x):
    return x if x > 0 else -x


def by_name(i):
    return {0: "zero"}[i]


def misfit(x):
    return x + jnp.ones(7)


def own_mistake(x):
    return {"a": x}["b"]


def branches_on_shape(x):
    return x.sum() if x.shape[0] > 2 else x


def chooses(x):
    return jnp.where(x > 0, x, -x)


def other_class(x):
    raise ValueError("Shapes must be drawn with a ruler")


def other_words(x):
    raise TypeError("In this house Shapes must be round")


def returns_text(x):
    return "hello"


EXAMPLES = [
    Call(absolute, 1.0).gives("bool"),
    Call(empty_page, 3).gives("shape"),
]

PLAIN_TYPE = "a plain TypeError of another kind"
REASONS = {
    vector_if: "an `if` on an array of many elements",
    first_few: "a plain IndexError",
    by_name: PLAIN_TYPE,
    misfit: PLAIN_TYPE,
    returns_text: PLAIN_TYPE,
    own_mistake: "an error that has nothing to do with JAX",
    other_class: "an error of another class, with the words of a shape error",
    other_words: "a TypeError with the words in the middle of its message",
    got_away: "a tracer that leaked",
    branches_on_shape: "nothing wrong",
    chooses: "nothing wrong",
}


def call(f, *args):
    """Return the call, with its reason if it has one."""
    return Call(f, *args).when(REASONS.get(f, ""))


def hidden(rng):
    """Each name from several programs."""
    vector = rng.normal(size=4).astype(np.float32)
    for f in (halve_until_small, in_range, at_most_ten, to_float, bearing, loudness, got_away):
        yield call(f, float(rng.uniform(1, 5)))
    for f in (count_up, sing, repeat, tide, unit_matrix, by_name):
        yield call(f, 2)
    for f in (find_peaks, only_positive, clip_by_mask, vector_if, misfit, own_mistake):
        yield call(f, vector)
    yield call(coldest, TIDES.reshape(2, 2), 0)
    yield call(tall, vector, 4)
    yield call(first_few, vector, 2)
    for f in (branches_on_shape, chooses, other_class, other_words, returns_text):
        yield call(f, vector)


def lets_interrupts_through(diagnose):
    """Return what happened to a Ctrl-C, which is not an Exception."""

    def interrupted(x):
        raise KeyboardInterrupt

    try:
        answer = diagnose(interrupted, 1.0)
    except KeyboardInterrupt:
        return None
    return f"a KeyboardInterrupt in f was swallowed, and called {answer!r}"


PROPERTIES = [
    Custom(
        "interrupt",
        "Ctrl-C, which is not an Exception, gets through.",
        lets_interrupts_through,
    ),
]
