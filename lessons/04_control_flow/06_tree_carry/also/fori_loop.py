"""A fori_loop over the places."""

import jax


def welford(xs):
    def step(i, carry):
        mean, m2 = carry
        delta = xs[i] - mean
        mean = mean + delta / (i + 1)
        return mean, m2 + delta * (xs[i] - mean)

    mean, m2 = jax.lax.fori_loop(0, xs.shape[0], step, (0.0, 0.0))
    return {"mean": mean, "var": m2 / xs.shape[0]}
