"""Casts the whole tree, and differentiates through the cast."""

import jax
import jax.numpy as jnp


def network(params, x):
    return jnp.dot(jnp.tanh(jnp.dot(x, params["w1"])), params["w2"])


def mixed_step(params, x, y, lr):
    def loss_of(params):
        small, rows = jax.tree.map(lambda a: a.astype("bfloat16"), (params, x))
        error = network(small, rows).astype("float32") - y
        return (error * error).mean()

    loss, grads = jax.value_and_grad(loss_of)(params)
    return {name: params[name] - lr * grads[name] for name in params}, loss
