"""What train-in-one-jit asks for."""

from functools import partial

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
    """Return parameters and losses, or say that the answer is no pair of them."""
    if not isinstance(answer, tuple | list) or len(answer) != 2:
        raise TypeError("train returns two things, (params, losses)")
    return answer


# Arrays of jax, for tests hand them to the submission as they are.
X = jnp.asarray(np.linspace(-1, 1, 64, dtype=np.float32)[:, None])
Y = jnp.sin(3 * X[:, 0])

EXAMPLES = [
    Call(jax.random.key(0), X, Y, 3).gives({"losses": 3, "units": 16}),
    Call(jax.random.key(1), X, Y, 3).gives({"losses": 3, "units": 16}),
]


def keys(n):
    """Make so many keys."""
    return jax.random.split(jax.random.key(7), n)


def grows(function, *sizes):
    """Say whether the program of function(n) is longer for the second size."""
    first, last = (len(str(jax.make_jaxpr(function(n))())) for n in sizes)
    return last > 1.2 * first


@partial(jax.jit, static_argnums=0)
def two_steps(facts, key):
    """Return two losses, and their slopes in Y: of the first, and of both."""
    losses, pull = jax.vjp(lambda y: facts.train(key, X, y, 2)[1], Y)
    return losses, pull(jnp.array([1.0, 0.0]))[0], pull(jnp.array([1.0, 1.0]))[0]


def batches(facts):
    """Say what is wrong with the rows that the steps take: a loss has slopes in these."""
    _, first, both = map(np.asarray, two_steps(facts, keys(4)[1]))
    _, other, _ = map(np.asarray, two_steps(facts, keys(4)[2]))
    if np.count_nonzero(first) != 16:
        return f"the first step takes {np.count_nonzero(first)} different rows"
    if np.array_equal(first != 0, other != 0):
        return "two keys take the same rows in their first step"
    again = np.count_nonzero(both) == 16
    return "the second step takes the rows of the first again" if again else None


def run(facts):
    """Do four trainings of 600 steps, once compiled for all tests."""
    if grows(lambda n: lambda: facts.train(jax.random.key(0), X, Y, n), 2, 6):
        raise AssertionError("it was not tried, because the program grows with every step")
    many = jax.jit(facts.train_many, static_argnames="steps")
    params, losses = in_two(many(keys(4), X, Y, steps=600))
    if jnp.shape(losses) != (4, 600):
        raise AssertionError(f"the losses of 4 trainings of 600 steps are {jnp.shape(losses)}")
    return params, losses


def learns(facts):
    """Say how far four trainings get."""
    params, losses = run(facts)
    left = np.median(losses[:, -30:].mean(axis=1) / losses[:, 0])
    if not left < 0.1:
        return f"after 600 steps {left:.0%} of the first loss is left"
    params = jax.tree.map(np.asarray, params)
    units = np.tanh(np.asarray(X) @ params["w1"] + params["b1"][:, None])
    answer = (units @ params["w2"][..., None])[..., 0] + params["b2"][:, None]
    true = np.median(np.mean((answer - np.asarray(Y)) ** 2, axis=1) / np.asarray(losses[:, 0]))
    return None if true < 0.1 else "the losses fall, and the parameters returned are no better"


def ensemble(facts):
    """Compare a training beside others with the one alone."""
    _, losses = run(facts)
    if grows(lambda n: lambda: facts.train_many(keys(n), X, Y, 3), 2, 8):
        return "the program grows with every key"
    alone, _, _ = two_steps(facts, keys(4)[1])
    if np.allclose(losses[1, :2], alone, rtol=1e-3):
        return None
    return "a training beside others has other losses than the one alone, with the same key"


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
    Custom("batches", "Each step takes 16 different rows, chosen anew by the key.", batches),
    Custom("ensemble", "train_many does for each key what train does for one.", ensemble),
    Custom("learns", "After 600 steps less than a tenth of the loss is left.", learns),
]
