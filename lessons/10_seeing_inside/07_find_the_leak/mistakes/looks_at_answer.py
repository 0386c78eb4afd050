# expects: check values
# says: Your answer is always False. A leak raises nothing where it happens, and the tracer is not
#     in what `f` returns: it is stored somewhere else.
"""Looks for tracers in the answer."""

import jax


def leaks(transform, f, *args):
    answer = transform(f)(*args)
    return any(isinstance(leaf, jax.core.Tracer) for leaf in jax.tree.leaves(answer))
