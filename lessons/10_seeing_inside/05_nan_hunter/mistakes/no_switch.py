# expects: check values
# says: Your answer is always -1. JAX raises nothing for a NaN unless it is told to, and a NaN is
#     equal to nothing, not even to itself.
"""Waits for an error that is never raised."""


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        try:
            x = layer(x)
        except FloatingPointError:
            return index
    return -1
