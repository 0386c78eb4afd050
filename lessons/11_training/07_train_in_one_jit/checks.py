"""What train-in-one-jit asks for."""

from functools import partial
from itertools import combinations

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, KeysOnce, SameSize, Uses

STATIC = ("steps",)


def subject(module):
    """Train, and return what must be so whichever numbers come."""

    def facts(key, X, y, steps):
        params, losses = in_two(module.train(key, X, y, steps))
        return {"losses": jnp.shape(losses)[0], "units": jnp.shape(params["w1"])[1]}

    facts.train, facts.train_many = module.train, module.train_many
    return facts


def in_two(answer):
    """Return parameters and losses; raise TypeError where the answer is not a pair."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("train returns two things, (params, losses)")
    return answer


# Arrays of jax, because tests pass them to the submission as they are.
X = jnp.asarray(np.linspace(-1, 1, 64, dtype=np.float32)[:, None])
Y = jnp.sin(3 * X[:, 0])

EXAMPLES = [
    Call(jax.random.key(0), X, Y, 3).gives({"losses": 3, "units": 16}),
    Call(jax.random.key(1), X, Y, 3).gives({"losses": 3, "units": 16}),
]


def keys(n):
    """Return n keys."""
    return jax.random.split(jax.random.key(7), n)


def grows(function, *sizes):
    """Return whether the program of function(n) is longer for the second size."""
    first, last = (len(str(jax.make_jaxpr(function(n))())) for n in sizes)
    return last > 1.2 * first


@partial(jax.jit, static_argnums=0)
def two_steps(facts, key):
    """Return the losses of two steps, and the slopes of the first with respect to Y."""
    losses, pull = jax.vjp(lambda y: facts.train(key, X, y, 2)[1], Y)
    return losses, pull(jnp.array([1.0, 0.0]))[0]


@partial(jax.jit, static_argnums=(0, 1))
def loss_curves(facts, steps, key, x, y):
    """Return the losses for each pair of tables in x and y."""
    return jax.vmap(lambda x, y: facts.train(key, x, y, steps)[1])(x, y)


def rows_taken(facts, key):
    """Return which of 64 rows each of five steps takes.

    Where X is 0 the network is a constant near 0, so one y that is not 0 shows in a loss exactly
    where its row is taken.
    """
    y = 0.01 * jnp.eye(64)
    losses = np.asarray(loss_curves(facts, 5, key, jnp.zeros((64, 64, 1)), y)).T
    return losses > 0.5 * losses.max(axis=1, keepdims=True)


def unpaired(facts, key):
    """Return whether the first step takes other rows of X than of y: a NaN shows which."""
    marks = jnp.where(jnp.eye(64, dtype=bool), jnp.nan, 0.0)
    zeros = jnp.zeros((64, 64))
    of_x = loss_curves(facts, 1, key, (zeros + marks)[..., None], zeros)
    of_y = loss_curves(facts, 1, key, zeros[..., None], zeros + marks)
    return not np.array_equal(np.isnan(of_x), np.isnan(of_y))


def batches(facts):
    """Return what is wrong with the rows that the steps take."""
    first, other = (rows_taken(facts, keys(4)[i]) for i in (1, 2))
    if unpaired(facts, keys(4)[1]):
        return "a step takes some rows of X and others of y; they belong together"
    for i, rows in enumerate(first, start=1):
        if np.count_nonzero(rows) != 16:
            return f"step {i} takes {np.count_nonzero(rows)} different rows"
    for i, j in combinations(range(len(first)), 2):
        if np.array_equal(first[i], first[j]):
            return f"step {j + 1} takes the rows of step {i + 1} again"
    if np.array_equal(first[0], other[0]):
        return "two keys take the same rows in their first step"
    return None


def before_the_move(facts):
    """Return whether the first loss is another than that of the parameters before the move.

    The mean of 16 squares is four times the sum of the squares of its slopes with respect to y, if
    the parameters do not depend on y.
    """
    losses, slopes = map(np.asarray, two_steps(facts, keys(4)[1]))
    if np.isclose(losses[0], 4 * np.sum(slopes**2), rtol=1e-3):
        return None
    return "the first loss is not that of the first parameters on the rows of the first step"


def run(facts):
    """Do four training runs of 600 steps, compiled once for all tests."""
    if grows(lambda n: lambda: facts.train(jax.random.key(0), X, Y, n), 2, 6):
        raise AssertionError("it was not tried, because the program grows with every step")
    many = jax.jit(facts.train_many, static_argnames="steps")
    params, losses = in_two(many(keys(4), X, Y, steps=600))
    if jnp.shape(losses) != (4, 600):
        raise AssertionError(f"the losses of 4 runs of 600 steps have shape {jnp.shape(losses)}")
    return params, losses


def learns(facts):
    """Return how far four training runs get."""
    params, losses = run(facts)
    left = np.median(losses[:, -30:].mean(axis=1) / losses[:, 0])
    if not left < 0.1:
        return f"after 600 steps {left:.0%} of the first loss is left"
    params = jax.tree.map(np.asarray, params)
    units = np.tanh(np.asarray(X) @ params["w1"] + params["b1"][:, None])
    answer = (units @ params["w2"][..., None])[..., 0] + params["b2"][:, None]
    true = np.median(np.mean((answer - np.asarray(Y)) ** 2, axis=1) / np.asarray(losses[:, 0]))
    return None if true < 0.1 else "the losses fall, but the parameters returned do not fit"


def ensemble(facts):
    """Compare a training run beside others with the same run alone."""
    _, losses = run(facts)
    if grows(lambda n: lambda: facts.train_many(keys(n), X, Y, 3), 2, 8):
        return "the program grows with every key"
    alone, _ = two_steps(facts, keys(4)[1])
    if np.allclose(losses[1, :2], alone, rtol=1e-3):
        return None
    return "beside others, a run has other losses than alone with the same key"


PROPERTIES = [
    Uses(
        [Call(jax.random.key(0), X, Y, 3)],
        ("scan", "while"),
        says="The steps are one loop in the program.",
    ),
    SameSize(
        [Call(jax.random.key(0), X, Y, 3), Call(jax.random.key(0), X, Y, 30)],
        says="Thirty steps take no more equations than three.",
    ),
    KeysOnce([Call(jax.random.key(3), X, Y, 3)], says="No key is used twice."),
    Custom("batches", "Each step draws 16 different rows with a key of its own.", batches),
    Custom("losses", "The loss of a step is that of its rows, before the move.", before_the_move),
    Custom("ensemble", "train_many does for each key what train does for one.", ensemble),
    Custom("learns", "After 600 steps less than a tenth of the loss is left.", learns),
]
