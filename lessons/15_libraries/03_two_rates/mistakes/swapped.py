# expects: check values
# says: Your two rates are swapped: the head moves at the rate of the body.
"""Swaps the rates."""

import optax


def two_rates(head_rate, body_rate):
    return optax.multi_transform(
        {
            "head": optax.adam(body_rate),
            "body": optax.adam(head_rate),
            "frozen": optax.set_to_zero(),
        },
        lambda params: {n: n if n in ("head", "body") else "frozen" for n in params},
    )
