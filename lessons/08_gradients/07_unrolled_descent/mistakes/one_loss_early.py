# expects: check values
# says: Your answer is about the loss before the last step, as the loop computes it. The final loss
#     is the loss at the last `x`.
"""Takes the loss before the last step."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def body(x, _):
            return x - lr * jax.grad(loss)(x), loss(x)

        x, losses = jax.lax.scan(body, x0, length=steps)
        return losses[-1]

    return jax.grad(final)(lr)
