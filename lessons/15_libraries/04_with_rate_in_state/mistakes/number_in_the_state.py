# expects: check one-trace
# says: Your state holds the number as it came in. A Python number has a weak type, a numpy number
#     does not, and an int is an int: each of them is traced once.
"""Puts the number into the state as it is."""

import optax


def with_rate_in_state(make, rate):
    def init(params):
        return rate, make(rate).init(params)

    def update(grads, state, params=None):
        updates, inner = make(state[0]).update(grads, state[1], params)
        return updates, (state[0], inner)

    return optax.GradientTransformation(init, update), lambda state, rate: (rate, state[1])
