# expects: check values
"""Walks through the keys of one dict."""


def sgd(params, grads, lr):
    return {name: p - lr * grads[name] for name, p in params.items()}
