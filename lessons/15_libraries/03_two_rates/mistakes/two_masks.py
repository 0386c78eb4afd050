# expects: check values
# says: Your frozen leaves move by their gradient: what no optimiser changes is added as it is.
"""Masks both parts, and forgets the rest."""

import optax


def two_rates(head_rate, body_rate):
    def only(wanted):
        return lambda params: {name: name == wanted for name in params}

    return optax.chain(
        optax.masked(optax.adam(head_rate), only("head")),
        optax.masked(optax.adam(body_rate), only("body")),
    )
