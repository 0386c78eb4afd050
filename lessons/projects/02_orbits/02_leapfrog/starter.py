"""One step in time for all bodies."""


def leapfrog(state, m, dt, softening):
    """Return the state (x, v) a time dt later."""
    x, v = state
    # TODO: this is Euler's step. Its error is too large, and always in the same direction.
    return x + dt * v, v + dt * accelerations(x, m, softening)
