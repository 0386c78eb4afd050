# expects: scan-body-not-pair at 10
"""Returns the carry alone."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def step(x, _):
            return x - lr * jax.grad(loss)(x)

        x, _ = jax.lax.scan(step, x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
