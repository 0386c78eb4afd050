# expects: custom-vjp-residual-function at 15
import jax
import jax.numpy as jnp


@jax.custom_vjp
def log_sum(x):
    return jnp.log(jnp.exp(x).sum())


def keep(x):
    def softmax(shift):
        return jnp.exp(x - shift) / jnp.exp(x - shift).sum()

    return log_sum(x), (softmax, x.max())


def pull(kept, cotangent):
    softmax, top = kept
    return (cotangent * softmax(top),)


log_sum.defvjp(keep, pull)
print(jax.grad(log_sum)(jnp.arange(3.0)))
