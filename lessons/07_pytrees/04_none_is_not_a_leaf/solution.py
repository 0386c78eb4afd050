"""None is not a leaf: settings, and a patch that changes some of them."""

import jax


def override(base, patch):
    """Return patch, with base's parts where patch has None."""

    def choose(new, old):
        return old if new is None else new

    # patch leads: where it has None the walk ends, and base gives the part that is there.
    return jax.tree.map(choose, patch, base, is_leaf=lambda node: node is None)
