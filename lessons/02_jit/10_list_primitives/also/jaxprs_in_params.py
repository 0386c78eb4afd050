"""The jaxprs in the params of each equation, as JAX finds them."""

import jax
from jax.extend.core import jaxprs_in_params


def primitive_names(f, *args):
    def visit(jaxpr):
        for eqn in jaxpr.eqns:
            found.add(eqn.primitive.name)
            for inner in jaxprs_in_params(eqn.params):
                visit(inner)

    found = set()
    visit(jax.make_jaxpr(f)(*args).jaxpr)
    return sorted(found)
