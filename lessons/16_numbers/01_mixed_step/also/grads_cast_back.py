"""Differentiates with respect to the small weights, and casts the gradients."""

import jax
import jax.numpy as jnp


def mixed_step(params, x, y, lr):
    small = {name: leaf.astype(jnp.bfloat16) for name, leaf in params.items()}
    rows = x.astype(jnp.bfloat16)

    def loss_of(small):
        out = jnp.tanh(rows @ small["w1"]) @ small["w2"]
        return jnp.mean(jnp.square(out.astype(jnp.float32) - y))

    loss, grads = jax.value_and_grad(loss_of)(small)
    return jax.tree.map(lambda p, g: p - lr * g.astype(p.dtype), params, grads), loss
