# expects: check values
# says: The first step is right, but every later step uses the gradient at `x0`. Each step takes the
#     gradient where it stands.
"""Takes the gradient at the start for every step."""

import jax


def final_loss_grad_lr(loss, x0, lr, steps):
    def final(lr):
        def step(x, _):
            return x - lr * jax.grad(loss)(x0), None

        x, _ = jax.lax.scan(step, x0, length=steps)
        return loss(x)

    return jax.grad(final)(lr)
