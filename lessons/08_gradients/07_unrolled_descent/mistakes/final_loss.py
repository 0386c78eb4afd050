# expects: check values
# says: Your answer is the final loss itself. Its derivative with respect to `lr` is still to be
#     taken.
"""Returns the loss instead of its derivative."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    slope = jax.grad(loss)
    x, _ = jax.lax.scan(lambda x, _: (x - lr * slope(x), None), x0, length=steps)
    return loss(x)
