# expects: check values
# says: Your steps go on with the rate of the beginning. The compiled step has the first optimiser,
#     and its rate is a constant there.
"""Makes another optimiser, which the compiled step never sees."""

import optax


def with_rate_in_state(make, rate):
    tx = [make(rate)]

    def set_rate(state, rate):
        tx[0] = make(rate)
        return state

    def update(grads, state, params=None):
        return tx[0].update(grads, state, params)

    first = tx[0]
    return optax.GradientTransformation(first.init, first.update), set_rate
