# expects: custom-rule-arity at 15
import jax
import jax.numpy as jnp


@jax.custom_vjp
def clip_gradient(x, low, high):
    return x


def forward(x, low, high):
    return x, (low, high)


def backward(limits, g):
    return jnp.clip(g, *limits), None, None


clip_gradient.defvjp(backward, forward)
print(jax.grad(lambda x: clip_gradient(x, -1.0, 1.0))(3.0))
