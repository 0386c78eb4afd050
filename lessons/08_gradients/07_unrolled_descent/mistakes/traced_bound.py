# expects: reverse-mode-through-while at 10
"""Compiles the training, with the number of steps traced."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    @jax.jit
    def final(lr, steps):
        x = jax.lax.fori_loop(0, steps, lambda _, x: x - lr * jax.grad(loss)(x), x0)
        return loss(x)

    return jax.grad(final)(lr, steps)
