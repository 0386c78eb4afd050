# expects: check values
# says: Your answer is NaN where `x` is infinite: 0 times infinity and infinity minus infinity are
#     not numbers. Halve without a detour.
"""Takes half of it away."""


def halve(x):
    return x - x * 0.5
