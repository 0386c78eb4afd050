"""Three branches, element by element: shrink towards zero."""


def soft_shrink(x, lam):
    """Return x pulled towards zero by lam, and 0 where it is no larger than lam."""
    # TODO: an if takes one branch for all elements.
    if x > lam:
        return x - lam
    if x < -lam:
        return x + lam
    return 0 * x
