# expects: check values
# says: A frozen leaf with a gradient of nan becomes nan: zero times nan is nan. Your frozen leaves
#     still go through an optimiser that computes with the gradient.
"""Freezes by a rate of 0."""

import optax


def two_rates(head_rate, body_rate):
    return optax.multi_transform(
        {"head": optax.adam(head_rate), "body": optax.adam(body_rate), "frozen": optax.adam(0.0)},
        lambda params: {n: n if n in ("head", "body") else "frozen" for n in params},
    )
