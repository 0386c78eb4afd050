# expects: grad-nonscalar at 10
"""Differentiates the final position, which is an array."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        x, _ = jax.lax.scan(lambda x, _: (x - lr * jax.grad(loss)(x), None), x0, length=steps)
        return x

    return jax.grad(final)(lr)
