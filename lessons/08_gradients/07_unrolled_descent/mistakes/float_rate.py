# expects: float-on-tracer at 9
"""Turns the rate into a Python number."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        rate = float(lr)
        x, _ = jax.lax.scan(lambda x, _: (x - rate * jax.grad(loss)(x), None), x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
