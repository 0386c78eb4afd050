"""Labels every leaf by the first key of its path."""

import jax
import optax


def two_rates(head_rate, body_rate):
    def label(path, leaf):
        return path[0].key if path[0].key in ("head", "body") else "none"

    return optax.partition(
        {"head": optax.adam(head_rate), "body": optax.adam(body_rate), "none": optax.set_to_zero()},
        lambda params: jax.tree_util.tree_map_with_path(label, params),
    )
