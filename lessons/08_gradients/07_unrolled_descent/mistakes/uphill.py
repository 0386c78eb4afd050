# expects: check values
# says: Your steps go up the loss: the gradient is added where it should be subtracted.
"""Goes up the loss."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        x, _ = jax.lax.scan(lambda x, _: (x + lr * jax.grad(loss)(x), None), x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
