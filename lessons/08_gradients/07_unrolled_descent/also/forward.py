"""Forward mode can go through a while_loop."""

import jax
import jax.numpy as jnp


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def step(state):
            x, left = state
            return x - lr * jax.grad(loss)(x), left - 1

        x, _ = jax.lax.while_loop(lambda state: state[1] > 0, step, (x0, jnp.int32(steps)))
        return loss(x)

    return jax.jacfwd(final)(lr)
