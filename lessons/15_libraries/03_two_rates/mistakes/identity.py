# expects: check values
# says: Your frozen leaves move by their gradient: what no optimiser changes is added as it is.
"""Takes the identity for doing nothing."""

import optax


def two_rates(head_rate, body_rate):
    return optax.multi_transform(
        {
            "head": optax.adam(head_rate),
            "body": optax.adam(body_rate),
            "frozen": optax.identity(),
        },
        lambda params: {n: n if n in ("head", "body") else "frozen" for n in params},
    )
