# expects: check values
# says: Your list misses operations without a result. They are equations like the others, but the
#     printed text shows no `=` before them.
"""Searches the printed jaxpr for what follows an equals sign."""

import re

import jax


def primitive_names(f, *args):
    text = str(jax.make_jaxpr(f)(*args))
    return sorted(set(re.findall(r"\] = ([\w-]+)", text)))
