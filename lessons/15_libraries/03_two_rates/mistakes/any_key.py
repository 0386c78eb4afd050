# expects: check values
# says: You look for the names anywhere in the path. A `head` inside another part belongs to that
#     part: only the top key decides.
"""Looks for the names anywhere in the path."""

import jax
import optax


def two_rates(head_rate, body_rate):
    def label(path, leaf):
        names = [getattr(key, "key", None) for key in path]
        return "head" if "head" in names else "body" if "body" in names else "frozen"

    return optax.multi_transform(
        {
            "head": optax.adam(head_rate),
            "body": optax.adam(body_rate),
            "frozen": optax.set_to_zero(),
        },
        lambda params: jax.tree_util.tree_map_with_path(label, params),
    )
