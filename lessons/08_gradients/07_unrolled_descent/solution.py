"""Differentiate the optimiser: how the final loss depends on the learning rate."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    """Return the derivative of the loss after so many steps by lr."""
    slope = jax.grad(loss)

    def final(lr):
        def step(x, _):
            return x - lr * slope(x), None

        # A fixed number of rounds, so that the way back is known.
        x, _ = jax.lax.scan(step, x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
