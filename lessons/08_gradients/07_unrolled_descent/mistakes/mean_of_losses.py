# expects: check values
# says: Your answer is a mean over all steps. Only the loss after the last one counts.
"""Averages the losses along the way."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def step(x, _):
            x = x - lr * jax.grad(loss)(x)
            return x, loss(x)

        _, losses = jax.lax.scan(step, x0, length=steps)
        return losses.mean()

    return jax.grad(final)(lr)
