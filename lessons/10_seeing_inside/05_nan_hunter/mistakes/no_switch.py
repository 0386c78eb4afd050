# expects: check values
"""Waits for an error that never comes."""


def first_bad_layer(layers, x):
    for index, layer in enumerate(layers):
        try:
            x = layer(x)
        except FloatingPointError:
            return index
    return -1
