"""An optimiser is two pure functions: Adam."""

import jax
import jax.numpy as jnp


def adam_init(params):
    """Return the state before the first step."""
    zeros = jax.tree.map(jnp.zeros_like, params)
    return {"step": jnp.int32(0), "m": zeros, "v": zeros}


def adam_update(grads, state, params, lr):
    """Return the parameters and the state after one step of Adam."""
    # An array in the state, so the compiled program counts on.
    step = state["step"] + 1
    m = jax.tree.map(lambda m, g: 0.9 * m + 0.1 * g, state["m"], grads)
    v = jax.tree.map(lambda v, g: 0.999 * v + 0.001 * g**2, state["v"], grads)

    def move(p, m, v):
        m_hat = m / (1 - 0.9**step)
        v_hat = v / (1 - 0.999**step)
        # 0.9**step is a float32 and promotes what it meets, so convert back to p's dtype.
        return (p - lr * m_hat / (jnp.sqrt(v_hat) + 1e-8)).astype(p.dtype)

    return jax.tree.map(move, params, m, v), {"step": step, "m": m, "v": v}
