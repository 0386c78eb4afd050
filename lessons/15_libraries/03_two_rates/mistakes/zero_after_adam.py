# expects: check memory
# says: Your frozen leaves get zeros, but only after Adam has kept two averages for each of them.
"""Sets to zero what Adam returns for the frozen leaves."""

import optax


def two_rates(head_rate, body_rate):
    return optax.multi_transform(
        {
            "head": optax.adam(head_rate),
            "body": optax.adam(body_rate),
            "frozen": optax.chain(optax.adam(body_rate), optax.set_to_zero()),
        },
        lambda params: {n: n if n in ("head", "body") else "frozen" for n in params},
    )
