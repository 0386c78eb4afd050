# expects: check values
# says: After one step your answer is right; after more it is not. The way in which one step
#     changes the gradient of the next is cut off.
"""Stops the gradient inside the steps."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def step(x, _):
            return x - lr * jax.lax.stop_gradient(jax.grad(loss)(x)), None

        x, _ = jax.lax.scan(step, x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
