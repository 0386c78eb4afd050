"""Two rates, and a part that stays."""

import jax
import optax


def two_rates(head_rate, body_rate):
    """Return Adam with one rate for head, another for body, and none for the rest."""

    def labels(params):
        # A prefix of the tree: one label for everything below a key.
        return {name: name if name in ("head", "body") else "frozen" for name in params}

    return optax.multi_transform(
        {
            "head": optax.adam(head_rate),
            "body": optax.adam(body_rate),
            "frozen": optax.set_to_zero(),
        },
        labels,
    )
