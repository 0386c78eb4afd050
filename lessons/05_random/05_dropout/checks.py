"""Checks for dropout."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, KeysOnce, Traces, Types

STATIC = ("train",)

KEY = jax.random.key(0)
X = np.array([1.0, 2.0, 3.0], np.float32)
ONE = jnp.float32(1.0)  # an array: a Python number would not be traced under the gradient

EXAMPLES = [
    Call(KEY, X, 1.0, True).gives([0.0, 0.0, 0.0]),  # first: its program is the one that is shown
    Call(KEY, X, 0.5, False).gives([1.0, 2.0, 3.0]),
]


def hidden(rng):
    """Yield both ends of the rate, in training and in use, and other shapes."""
    x = rng.normal(size=3).astype(np.float32)
    yield Call(KEY, x, 0.0, True).when("a rate of 0")
    yield Call(KEY, x, 1.0, True).when("a rate of 1")
    yield Call(KEY, x, 1.0, False).when("a rate of 1, not in training")
    yield Call(KEY, x[:2].reshape(2, 1), 0.0, True).when("a second axis")


MANY = np.full(40_000, 3.0, np.float32)


@functools.cache
def compiled(dropout):
    """Compile it for training, once for all checks that call it."""
    return jax.jit(lambda key, rate: dropout(key, jnp.asarray(MANY), rate, True))


def drops(dropout):
    """Return what is wrong with many elements, some of which were dropped, or None."""
    for rate in (0.2, 0.75):
        y = np.asarray(compiled(dropout)(KEY, rate))
        mean, dropped = y.mean(), (y == 0).mean()
        if abs(dropped - rate) > 0.02:
            return f"with a rate of {rate}, {dropped:.1%} of 40000 elements were dropped"
        if abs(mean / 3 - 1) > 0.03:
            return f"with a rate of {rate}, the mean of 40000 times 3.0 became {mean:.2f}"
        if not np.allclose(y[y != 0], 3 / (1 - rate), rtol=1e-3):
            return f"with a rate of {rate}, not every element is 0 or {3 / (1 - rate):g}"
    y, wanted = np.asarray(compiled(dropout)(KEY, 0.999)), 3 / (1 - np.float32(0.999))
    if not np.allclose(y[y != 0], wanted, rtol=3e-4):
        return f"with a rate of 0.999, 3.0 becomes {y.max():.1f}, not {wanted:.1f}"
    return None


def follows_the_key(dropout):
    """Return a message unless equal keys drop the same elements, and other keys others."""
    one, again, other = (compiled(dropout)(jax.random.key(seed), 0.5) for seed in (1, 1, 2))
    if (one != again).any():
        return "two calls with the same key dropped different elements"
    if (one == other).all():
        return "two different keys dropped the same elements"
    return None


def drops_independently(dropout):
    """Return what is wrong with how often two neighbours are both dropped, or None."""
    keys = jax.random.split(jax.random.key(6), 4000)
    pair = jnp.ones(2)
    y = np.asarray(jax.jit(jax.vmap(lambda key: dropout(key, pair, 0.5, True)))(keys))
    both = (y == 0).all(axis=1).mean()
    if abs(both - 0.25) > 0.05:
        return (
            f"of two elements at rate 0.5, both were dropped in {both:.0%} of 4000 draws, not 25%"
        )
    return None


def has_gradient(dropout):
    """Return where the gradient is wrong without jit, where XLA cannot repair it, or None."""
    for rate, slope in ((ONE, 0.0), (0 * ONE, 1.0)):
        found = jax.grad(lambda x, rate=rate: dropout(KEY, x, rate, True).sum())(jnp.asarray(X))
        if not np.allclose(np.asarray(found), slope):
            return (
                f"without jit, at rate {rate:g} the gradient is {found}, not {slope:g} everywhere"
            )
    return None


def maps(dropout):
    """Return a message unless a batch of keys gives what a loop over them gives."""
    keys = jax.random.split(KEY, 2)
    mapped = jax.vmap(compiled(dropout), in_axes=(0, None))(keys, 0.5)
    looped = np.stack([np.asarray(compiled(dropout)(key, 0.5)) for key in keys])
    return (
        None
        if np.allclose(np.asarray(mapped), looped)
        else "under jax.vmap other elements are dropped"
    )


PROPERTIES = [
    KeysOnce([Call(KEY, X, 0.5, True)], says="No key is used twice."),
    Custom("drops", "A share of `rate` is dropped, and the mean is preserved.", drops),
    Custom("follows-the-key", "The key alone decides what is dropped.", follows_the_key),
    Custom(
        "independent", "Each element is dropped independently of the others.", drops_independently
    ),
    Gradient(
        [Call(KEY, X, ONE, True), Call(KEY, X, 0 * ONE, True), Call(KEY, X, ONE, False)],
        argnums=1,
        finite=True,
        says="Its gradient with respect to x is right at rates 0 and 1.",
    ),
    Custom("gradient-without-jit", "Without jit its gradient is right too.", has_gradient),
    Types(
        [Call(KEY, X.astype(dtype), 0.5, True) for dtype in (jnp.bfloat16, jnp.float32)],
        says="The answer has the dtype of x, even if that is bfloat16.",
    ),
    Custom("vmap", "Under jax.vmap over keys it gives what a loop gives.", maps),
    Traces(
        [Call(KEY, X, rate, train) for train in (True, False) for rate in (0.5, 0.25, 0.1)],
        times=2,
        says="It is traced twice: once for training and once for use, whatever the rate.",
    ),
]
