"""None is not a leaf: settings, and a patch that changes some of them."""

import jax


def override(base, patch):
    """Return patch, with the parts of base where patch has None."""

    def choose(new, old):
        return old if new is None else new

    # patch comes first: where it has None, choose gets the whole part of base.
    return jax.tree.map(choose, patch, base, is_leaf=lambda node: node is None)
