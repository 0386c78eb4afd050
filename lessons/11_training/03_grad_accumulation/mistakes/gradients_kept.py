# expects: check memory
# says: Your loop returns a gradient for each piece, `k` copies of all parameters at once. A total
#     in the carry needs one.
"""Keeps the gradient of each piece, and takes the mean at the end."""

import jax


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])

    def one(_, piece):
        return None, jax.grad(loss)(params, *piece)

    _, grads = jax.lax.scan(one, None, (x, y))
    return jax.tree.map(lambda leaf: leaf.mean(axis=0), grads)
