# expects: reverse-mode-through-while at 13
"""Loops until the slope is small."""

import jax
import jax.numpy as jnp


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def goes_on(x):
            return jnp.max(jnp.abs(jax.grad(loss)(x))) > 1e-3

        x = jax.lax.while_loop(goes_on, lambda x: x - lr * jax.grad(loss)(x), x0)
        return loss(x)

    return jax.grad(final)(lr)
