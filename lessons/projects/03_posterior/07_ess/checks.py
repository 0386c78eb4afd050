"""Checks for the worth of draws."""

import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, SameSize, Vmap


def array(values):
    """Return a float32 array."""
    return np.array(values, np.float32)


def walks(rng, chains, n, share):
    """Return draws each of which keeps a share of the one before, with variance 1."""
    draws = rng.normal(size=(chains, n))
    for i in range(1, n):
        draws[:, i] = share * draws[:, i - 1] + np.sqrt(1 - share**2) * draws[:, i]
    return draws.astype(np.float32)


EXAMPLES = [
    Call(array([[1, 1, -1, -1]])).gives(2.6666667),
    Call(array([[3, 3], [1, 1]])).gives(2.0),
]


def hidden(rng):
    """Yield chains that move slowly, fast, back and forth, and in different places."""
    yield Call(walks(rng, 3, 60, 0.8)).when("draws that are much alike")
    yield Call(walks(rng, 2, 40, 0.0) + 5).when("draws that are not around 0")
    apart = walks(rng, 3, 30, 0.3) + np.array([[0], [0], [3]])
    yield Call(apart.astype(np.float32)).when("chains in different places")
    yield Call(array([[1, -1] * 8])).when("draws that jump back and forth")


RNG = np.random.default_rng(21)
KNOWN = {share: walks(RNG, 4, 3000, share) for share in (0.0, 0.5, 0.9)}


def known(ess):
    """Compare with draws whose answer is known: n * (1 - share) / (1 + share)."""
    for share, draws in KNOWN.items():
        found, expected = float(ess(draws)), 12000 * (1 - share) / (1 + share)
        if not 0.75 < found / expected < 1.33:
            return f"if each draw keeps {share} of the last, it is {found:.0f}, not {expected:.0f}"
    return None


PROPERTIES = [
    SameSize(
        [Call(KNOWN[0.5][:, :10]), Call(KNOWN[0.5])], says="More draws take no more equations."
    ),
    Vmap([Call(KNOWN[0.5].reshape(2, 4, 1500))], says="Under jax.vmap it works for each quantity."),
    Custom("known", "For draws with a known answer it is close to that.", known),
]

RIGHT_TOO = {
    "off = (draws.mean() - draws)": "The sign drops out of the products.",
    "products = jnp.fft.irfft(power, 2 * n)[:, :n].sum(axis=0)": (
        "Only the ratios of the products count."
    ),
    "kept = jnp.cumprod((pairs >= 0))  # 0 from the first pair that is not positive": (
        "A pair that is exactly 0 adds nothing."
    ),
}
