# expects: check primitive
# says: Your pieces are not in a loop of the program: they are taken side by side. That gives the
#     right numbers, and needs the memory of the whole batch.
"""Takes all pieces side by side, which saves nothing."""

import jax


def accumulated_grad(loss, params, X, Y, k):
    if len(X) % k:
        raise ValueError("unequal pieces")
    x = X.reshape(k, -1, *X.shape[1:])
    y = Y.reshape(k, -1, *Y.shape[1:])
    grads = jax.vmap(jax.grad(loss), in_axes=(None, 0, 0))(params, x, y)
    return jax.tree.map(lambda leaf: leaf.mean(axis=0), grads)
