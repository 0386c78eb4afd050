# expects: check named
# says: Your names are annotations of the host: they mark the time in which Python traces. The
#     operations of the device carry none of them.
"""Uses annotations for the host."""

import jax
import jax.numpy as jnp


def named_step(w, x, y):
    def loss_of(w):
        with jax.profiler.TraceAnnotation("network"):
            predicted = jnp.tanh(x @ w["in"]) @ w["out"]
        with jax.profiler.TraceAnnotation("loss"):
            return jnp.mean((predicted - y) ** 2)

    loss, slope = jax.value_and_grad(loss_of)(w)
    with jax.profiler.TraceAnnotation("update"):
        return jax.tree.map(lambda w, slope: w - 0.1 * slope, w, slope), loss
