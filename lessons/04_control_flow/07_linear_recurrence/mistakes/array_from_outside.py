# expects: check jaxpr
# says: No call ran: `combine` gets parts of the sequence, shorter than the whole array that it
#     uses from outside. Let each factor travel with its summand.
"""Uses all of a, where parts of b are combined."""

from jax import lax


def recur(a, b):
    return lax.associative_scan(lambda left, right: a * left + right, b)
