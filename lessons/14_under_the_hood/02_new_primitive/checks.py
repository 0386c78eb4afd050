"""What new-primitive asks for."""

import jax
import jax.numpy as jnp
import numpy as np

from jaxtutor.core.vocabulary import Call, Custom, Gradient, Types, Uses, Vmap

THREE = np.array([1.0, -2.0, 3.0], np.float32)
TABLE = np.array([[1.0, 2.0, 3.0], [0.5, -1.0, 4.0]], np.float32)

EXAMPLES = [
    Call(THREE).gives([1.0, -8.0, 27.0]),
    Call(np.float32(0.5)).gives(0.125),
]


def hidden(rng):
    """A table of floats, integers, numbers that overflow, and no numbers at all."""
    yield Call(rng.normal(size=(2, 3)).astype(np.float32)).when("a table")
    yield Call(rng.integers(-9, 9, size=3).astype(np.int32)).when("integers")
    yield Call(np.array([np.inf, np.nan, 1e30], np.float32)).when("infinity, NaN and overflow")
    yield Call(np.zeros((0, 2), np.float32)).when("no elements")


def wrong_at_once(cube):
    """Return what comes out without a compiler."""
    found = cube(jnp.asarray(THREE))
    if not np.array_equal(found, THREE**3):
        return f"cube of {THREE} is {found}"
    return None


def wrong_change(cube):
    """Return which value or change of the output is wrong under jax.jvp."""
    change = np.array([1.0, 0.5, -2.0], np.float32)
    value, found = jax.jvp(cube, (jnp.asarray(THREE),), (jnp.asarray(change),))
    if not np.allclose(value, THREE**3):
        return f"at {THREE}, jax.jvp returns the value {value}, expected {THREE**3}"
    wanted = 3 * THREE**2 * change
    if not np.allclose(found, wanted):
        what = f"at {THREE}, for an input change of {change}"
        return f"{what}, expected an output change of {wanted}, got {found}"
    return None


def wrong_together(cube):
    """Return what is wrong where two transformations meet."""
    table = jnp.asarray(TABLE)
    of_a_batch = jax.jit(jax.grad(lambda x: jnp.sum(jax.vmap(cube)(x))))(table)
    if not np.allclose(of_a_batch, 3 * TABLE**2):
        return f"the gradient of the batched function at {TABLE} is {of_a_batch}"
    batched = jax.jit(jax.vmap(jax.grad(lambda x: jnp.sum(cube(x)))))(table)
    if not np.allclose(batched, 3 * TABLE**2):
        return f"the batched gradient at {TABLE} is {batched}"
    second = jax.jit(jax.grad(jax.grad(cube)))(jnp.float32(3.0))
    return None if np.allclose(second, 18.0) else f"the second derivative at 3 is {second}"


PROPERTIES = [
    Uses([Call(THREE)], ("my_cube",), says="Its jaxpr holds a primitive named `my_cube`."),
    Custom("eager", "It computes at once without jax.jit.", wrong_at_once),
    Types(
        [Call(THREE.astype(dtype)) for dtype in (jnp.int32, jnp.bfloat16, jnp.float32)],
        says="The answer has the shape and the dtype of x, as promised while tracing.",
    ),
    Custom("jvp", "Under jax.jvp it returns the value, and the change.", wrong_change),
    Gradient([Call(THREE)], says="Its gradient is that of the cube."),
    Vmap([Call(TABLE)], says="Under jax.vmap it does for each row what it does for one."),
    Vmap(
        [Call(TABLE)],
        in_axes=1,
        name="vmap-columns",
        says="A batch may lie along another axis.",
    ),
    Custom(
        "together",
        "The gradient of a batch, a batch of gradients and a second derivative are right.",
        wrong_together,
    ),
]

RIGHT_TOO = {
    "mlir.register_lowering(cube_p, mlir.lower_fun(compute))": (
        "From jax 0.12 on, a result may stand alone, and need not be a list of results."
    ),
    "mlir.register_lowering(cube_p, mlir.lower_fun(compute, multiple_results=True))": (
        "From jax 0.12 on, a result may stand alone, and need not be a list of results."
    ),
}
