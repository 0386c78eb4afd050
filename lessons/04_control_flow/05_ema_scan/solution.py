"""Carry something along: an average that slowly forgets."""

from jax import lax


def ema(xs, alpha):
    """Return the averages along xs: alpha of the new price, the rest of the old average."""

    def step(average, x):
        average = alpha * x + (1 - alpha) * average
        return average, average  # one goes on, one is collected

    # The first step mixes xs[0] with itself.
    _, averages = lax.scan(step, xs[0], xs)
    return averages
