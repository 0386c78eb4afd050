"""Uses three masks instead of labels."""

import optax


def two_rates(head_rate, body_rate):
    def only(wanted):
        return lambda params: {name: wanted(name) for name in params}

    return optax.chain(
        optax.masked(optax.adam(head_rate), only(lambda name: name == "head")),
        optax.masked(optax.adam(body_rate), only(lambda name: name == "body")),
        optax.masked(optax.set_to_zero(), only(lambda name: name not in ("head", "body"))),
    )
