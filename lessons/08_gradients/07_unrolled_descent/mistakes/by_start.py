# expects: check values
# says: Your answer is the derivative with respect to `x0`, so it is an array shaped like `x0`.
#     The question is about `lr`.
"""Differentiates with respect to the start."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(x0, lr):
        x, _ = jax.lax.scan(lambda x, _: (x - lr * jax.grad(loss)(x), None), x0, length=steps)
        return loss(x)

    return jax.grad(final)(x0, lr)
