# expects: params-not-for-bind at 21
import jax
from jax.extend.core import Literal


@jax.custom_jvp
def cube(x):
    return x**3


cube.defjvps(lambda t, answer, x: 3.0 * x * x * t)


def run(closed, *args):
    values = dict(zip(closed.jaxpr.constvars, closed.consts))
    values.update(zip(closed.jaxpr.invars, args))
    for equation in closed.jaxpr.eqns:
        given = [v.val if isinstance(v, Literal) else values[v] for v in equation.invars]
        primitive = equation.primitive
        params = equation.params
        out = primitive.bind(*given, **params)
        values.update(zip(equation.outvars, out if primitive.multiple_results else [out]))
    return [values[v] for v in closed.jaxpr.outvars]


print(run(jax.make_jaxpr(lambda x: cube(x) + 1.0)(2.0), 2.0))
