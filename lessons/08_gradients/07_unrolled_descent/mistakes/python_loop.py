# expects: check equations
# says: The number is right, but the program grows with `steps`: a Python loop unrolls the
#     training.
"""Unrolls the training in Python."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        x = x0
        for _ in range(steps):
            x = x - lr * jax.grad(loss)(x)
        return loss(x)

    return jax.grad(final)(lr)
