"""A loop with Python numbers as bounds becomes a scan."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        x = jax.lax.fori_loop(0, steps, lambda _, x: x - lr * jax.grad(loss)(x), x0)
        return loss(x)

    return jax.grad(final)(lr)
