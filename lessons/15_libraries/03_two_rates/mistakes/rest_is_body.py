# expects: check values
# says: Everything except the head is trained as the body. Other parts stay as they are.
"""Trains whatever is not the head."""

import optax


def two_rates(head_rate, body_rate):
    return optax.multi_transform(
        {"head": optax.adam(head_rate), "body": optax.adam(body_rate)},
        lambda params: {n: "head" if n == "head" else "body" for n in params},
    )
