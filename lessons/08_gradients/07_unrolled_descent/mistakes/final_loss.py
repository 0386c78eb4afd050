# expects: check values
"""Gives the loss, and no derivative."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    slope = jax.grad(loss)
    x, _ = jax.lax.scan(lambda x, _: (x - lr * slope(x), None), x0, length=steps)
    return loss(x)
