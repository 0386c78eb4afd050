"""Checks for the sampler against the exact answer."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Traces


def subject(module):
    """Return z_scores, with what the tests need."""

    def z_scores(draws, mean):
        return module.z_scores(draws, mean)

    z_scores.parts = module
    return z_scores


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(array([[[1], [1], [-1], [-1]]]), array([0])).gives([0.0]),
    Call(array([[[1], [1], [-1], [-1]]]), array([1])).gives([-1.6329932]),
]


def walks(rng, chains, n, d, share=0.7):
    """Return draws each of which keeps a share of the one before."""
    draws = rng.normal(size=(chains, n, d))
    for i in range(1, n):
        draws[:, i] = share * draws[:, i - 1] + np.sqrt(1 - share**2) * draws[:, i]
    return (draws * np.arange(1, d + 1)).astype(np.float32)


def hidden(rng):
    """Yield draws of several quantities, with different scales and means."""
    yield Call(walks(rng, 3, 40, 2), array([0.5, -1]))
    yield Call(walks(rng, 4, 20, 4), array([0, 1, 2, 3])).when("as many chains as quantities")
    yield Call(walks(rng, 2, 40, 3) + array([0, 5, -5]), array([0, 5, -5])).when(
        "draws that are not around 0"
    )


RNG = np.random.default_rng(31)
DRAWS = walks(RNG, 2, 10, 3)


def whole(z_scores):
    """Run the whole sampler on a small problem, and compare with the exact answer."""
    it = z_scores.parts
    X, y = it.make_data(jax.random.key(5), jnp.array([1.0, -1.0]), 0.5, 20)
    mean, covariance = it.exact_answer(X, y)

    def logp(q):
        return it.log_density(q, X, y)

    warm = jax.jit(it.warm_up, static_argnums=(1, 4, 5))
    run = jax.jit(it.sample, static_argnums=(1, 4, 5))
    places, step = warm(jax.random.key(6), logp, jnp.zeros((4, 3)), 0.1, 6, 300)
    draws, _ = run(jax.random.key(7), logp, places, step, 6, 1000)
    z = np.asarray(z_scores(draws, mean))
    if not (np.abs(z) < 4).all():
        return f"the means of the draws are {np.round(z, 1)} standard errors off"
    spread = np.cov(np.asarray(draws[..., :2]).reshape(-1, 2).T)
    off = np.abs(np.diag(spread) / np.diag(covariance) - 1).max()
    return None if off < 0.25 else f"the variances of the weights are {off:.0%} off"


PROPERTIES = [
    SameSize(
        [Call(DRAWS, array([0, 0, 0])), Call(walks(RNG, 6, 60, 9), np.zeros(9, np.float32))],
        says="More quantities and more draws take no more equations.",
    ),
    Traces([Call(DRAWS, array([0, 0, 0])), Call(DRAWS + 1, array([1, 2, 3]))]),
    Custom("whole", "The whole sampler finds the exact means and variances.", whole),
]

RIGHT_TOO = {
    "error = draws.std(axis=(1, 0)) / jnp.sqrt(sizes)": (
        "The order of the axes of a mean or deviation makes no difference."
    ),
    "return (draws.mean(axis=(1, 0)) - mean) / error": (
        "The order of the axes of a mean or deviation makes no difference."
    ),
}
