# expects: check values
# says: Your dict has other keys than the problem asks for: they are `mean` and `var`.
"""Names the answer otherwise."""

from jax import lax


def welford(xs):
    def step(carry, x):
        n, mean, m2 = carry
        delta = x - mean
        new = mean + delta / (n + 1)
        return (n + 1, new, m2 + delta * (x - new)), None

    (n, mean, m2), _ = lax.scan(step, (0, 0.0, 0.0), xs)
    return {"mean": mean, "variance": m2 / n}
