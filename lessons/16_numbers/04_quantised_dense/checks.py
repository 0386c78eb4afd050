"""What quantised-dense asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom


def subject(module):
    """Quantise a table, and multiply."""

    def call(x, w):
        return module.quantised_dense(x, *module.quantise(w))

    call.quantise, call.dense = module.quantise, module.quantised_dense
    return call


def f32(values):
    """Make an array of floats."""
    return np.array(values, np.float32)


EXAMPLES = [
    Call(f32([[127, 1]]), f32([[1, 0], [0, 2]])).gives([[127.0, 2.0]]),
    Call(f32([[0, 0]]), f32([[1], [2]])).gives([[0.0]]).when("a row of zeros"),
]


def some(rng, rows, inner, columns):
    """Make rows and weights, with columns of different sizes."""
    x = rng.normal(size=(rows, inner)).astype(np.float32)
    w = rng.normal(size=(inner, columns)) * np.geomspace(1, 20, columns)
    return x, w.astype(np.float32)


def hidden(rng):
    """Yield tables of several shapes."""
    yield Call(*some(rng, 4, 16, 3))
    yield Call(*some(rng, 1, 300, 2)).when("a long sum")
    x, w = some(rng, 3, 8, 4)
    w[:, 2] = 0
    yield Call(x, w).when("a column of zeros")
    yield Call(100 * x, -w)


X, W = some(np.random.default_rng(5), 2, 64, 48)


def storage(call):
    """Return what is wrong with the parts that are stored."""
    q, scale = call.quantise(W)
    if q.dtype != jnp.int8 or q.shape != W.shape:
        return f"the weights are stored as {q.dtype} of shape {q.shape}"
    if scale.dtype != jnp.float32 or scale.shape != (48,):
        return f"the scales are {scale.dtype} of shape {scale.shape}, not float32 of shape (48,)"
    zero = float(call.quantise(np.zeros((3, 1), np.float32))[1][0])
    return None if zero == 1 else f"the scale of a column of zeros is {zero:g}, not 1"


def equations(jaxpr):
    """Yield each equation of a jaxpr and of those within it."""
    for equation in jaxpr.eqns:
        yield equation
        for value in equation.params.values():
            inner = getattr(value, "jaxpr", value)
            if hasattr(inner, "eqns"):
                yield from equations(inner)


def is_float(variable):
    """Return whether a variable is an array of floats."""
    return jnp.issubdtype(variable.aval.dtype, jnp.floating)


def no_float_copy(call):
    """Return which product takes floats, or where floats as many as the weights are computed."""
    q, scale = jnp.ones((64, 48), jnp.int8), jnp.ones(48)
    traced = jax.make_jaxpr(lambda x, q, scale: call.dense(x, q, scale))(X, q, scale)
    for equation in equations(traced.jaxpr):
        if equation.primitive.name == "dot_general" and any(map(is_float, equation.invars)):
            return "the product takes an array of floats"
        for each in filter(is_float, equation.outvars):
            if each.aval.size >= q.size:
                return f"an array of {each.aval.dtype} with {each.aval.size} elements is computed"
    return None


def error(call):
    """Return whether an element is off by more than rounding explains."""
    answer = np.asarray(call(X, W), np.float64)
    x, w = X.astype(np.float64), W.astype(np.float64)
    step_x, step_w = np.abs(x).max(1, keepdims=True) / 127, np.abs(w).max(0, keepdims=True) / 127
    bound = np.abs(x).sum(1, keepdims=True) * step_w / 2 + step_x / 2 * np.abs(w).sum(0)
    bound += x.shape[1] * step_x * step_w / 4
    off = np.abs(answer - x @ w) / bound
    return None if off.max() <= 1.001 else f"an element is off by {off.max():.1f} times the bound"


PROPERTIES = [
    Custom("storage", "The weights are int8, with a float32 for each column.", storage),
    Custom(
        "no-float-copy",
        "The product is of whole numbers; no float copy of the weights is made.",
        no_float_copy,
    ),
    Custom("error", "The error is within the bound of the rounding.", error),
]
