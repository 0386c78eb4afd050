"""Differentiate the optimiser: how the final loss depends on the learning rate."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    """Return the derivative of the loss after `steps` steps with respect to lr."""
    slope = jax.grad(loss)

    def final(lr):
        def step(x, _):
            return x - lr * slope(x), None

        # The number of iterations is fixed, so the backward pass knows what to keep.
        x, _ = jax.lax.scan(step, x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
