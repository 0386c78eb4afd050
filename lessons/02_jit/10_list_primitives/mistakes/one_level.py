# expects: check values
# says: Your list misses names that are more than one level down. A jaxpr that you find may hold
#     more jaxprs.
"""Goes down one level, and no further."""

import jax
from jax.extend.core import subjaxprs


def primitive_names(f, *args):
    jaxpr = jax.make_jaxpr(f)(*args).jaxpr
    found = {eqn.primitive.name for eqn in jaxpr.eqns}
    for inner in subjaxprs(jaxpr):
        found |= {eqn.primitive.name for eqn in inner.eqns}
    return sorted(found)
