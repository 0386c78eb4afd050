# expects: check values
# says: Your answer handles one level of a dict only. A tree may have dicts, lists and tuples
#     inside, or be a single array.
"""Loops over the keys of one dict."""


def sgd(params, grads, lr):
    return {name: p - lr * grads[name] for name, p in params.items()}
