# expects: check values
# says: Your answer counts the effect of `lr` on the last step only. Every step depends on it.
"""Differentiates the last step alone."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    slope = jax.grad(loss)
    x, _ = jax.lax.scan(lambda x, _: (x - lr * slope(x), None), x0, length=steps - 1)
    return jax.grad(lambda lr: loss(x - lr * slope(x)))(lr)
