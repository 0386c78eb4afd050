# expects: check values
# says: Your rate is a variable of Python. A compiled step reads it once, while it is traced, and
#     keeps what it read.
"""Keeps the rate in a variable."""

import jax
import optax


def with_rate_in_state(make, rate):
    now = {"rate": rate}

    def update(grads, state, params=None):
        return make(now["rate"]).update(grads, state, params)

    def set_rate(state, rate):
        now["rate"] = rate
        return state

    return optax.GradientTransformation(make(rate).init, update), set_rate
