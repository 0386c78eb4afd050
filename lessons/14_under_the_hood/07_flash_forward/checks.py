"""What flash-forward asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from jax.experimental.pallas import triton
from jax.extend.core import jaxprs_in_params
from jax.sharding import AbstractDevice, AbstractMesh, use_abstract_mesh

from jaxtutor.core.vocabulary import Call, Custom, Finite, Types, Uses

STATIC = ("interpret", "compiler_params")

# One shape for nearly all calls, because each costs a compile: two and three blocks.
QUERIES, KEYS = np.zeros((32, 16), np.float32), np.zeros((48, 16), np.float32)
EYES = np.tile(np.eye(16, dtype=np.float32), (3, 1))

EXAMPLES = [
    Call(QUERIES, KEYS, np.ones((48, 16), np.float32)).gives(np.ones((32, 16)).tolist()),
    Call(QUERIES, KEYS, EYES).gives(np.full((32, 16), 0.0625).tolist()),
]


def random(seed=0, scale=1.0, n=32, m=48, d=16):
    """Return queries, keys and values of no pattern."""
    rng = np.random.default_rng(seed)
    q, k, v = (rng.normal(size=(rows, d)).astype(np.float32) for rows in (n, m, m))
    return q, k * scale, v


def hidden(rng):
    """Several blocks, scores that grow and that shrink, large ones, and bfloat16."""
    yield Call(*random(1))
    yield Call(*random(5, n=16, m=32)).when("16 queries and 32 keys")
    q, k, v = random(2)
    slope = np.linspace(0, 40, 48, dtype=np.float32)[:, None]
    q = np.abs(q)
    yield Call(q, k + slope, v).when("scores that grow from block to block")
    yield Call(q, k - slope, v).when("scores that shrink from block to block")
    # Quarters, whose products are exact: the scores are the same in whichever order they are added.
    yield Call(quarters(q), quarters(k) - 4000, v).when("scores that are all far below zero")
    yield Call(*(jnp.asarray(x, jnp.bfloat16) for x in random(3))).when("bfloat16")


def quarters(x):
    """Return the nearest multiples of 1/4."""
    return np.round(4 * x) / 4


def walk(jaxpr, inside=False):
    """Yield each equation, and whether it is inside of a kernel."""
    for equation in jaxpr.eqns:
        yield equation, inside
        is_call = equation.primitive.name == "pallas_call"
        for inner in jaxprs_in_params(equation.params):
            yield from walk(inner, inside or is_call)


def outside(flash_forward):
    """Return an operation outside of the kernel that belongs inside."""
    for equation, inside in walk(jax.make_jaxpr(flash_forward)(*random()).jaxpr):
        name = equation.primitive.name
        if not inside and name in ("exp", "exp2", "dot_general", "reduce_max", "while", "scan"):
            return f"there is a {name} outside of the kernel"
    return None


def too_much_at_once(flash_forward):
    """Return a value in the kernel that has more numbers than 16 rows of 128."""
    args = random(n=32, m=1024, d=64)
    for equation, inside in walk(jax.make_jaxpr(flash_forward)(*args).jaxpr):
        for out in equation.outvars if inside else ():
            if getattr(out.aval, "size", 0) > 16 * 128 and "Ref" not in str(out.aval):
                return (
                    f"for 1024 keys of 64 numbers, {equation.primitive.name} in the kernel gives "
                    f"a value of shape {out.aval.shape}"
                )
    return None


def low_precision(flash_forward):
    """Return an operation in the kernel that computes in bfloat16."""
    args = [jnp.asarray(x, jnp.bfloat16) for x in random()]
    for equation, inside in walk(jax.make_jaxpr(flash_forward)(*args).jaxpr):
        name = equation.primitive.name
        if inside and name in ("exp", "exp2", "reduce_sum", "dot_general"):
            if equation.outvars[0].aval.dtype == jnp.bfloat16:
                return f"for bfloat16, a {name} in the kernel gives bfloat16"
    return None


def refused_by_gpu(flash_forward):
    """Return why the kernel cannot be lowered for a GPU, by Triton."""
    shapes = [jax.ShapeDtypeStruct((rows, 64), jnp.float32) for rows in (64, 96, 96)]
    options = {"interpret": False, "compiler_params": triton.CompilerParams()}
    device = AbstractDevice("NVIDIA H100 80GB HBM3", 132, "cuda")
    try:
        with use_abstract_mesh(AbstractMesh((1,), ("x",), abstract_device=device)):
            traced = jax.jit(lambda q, k, v: flash_forward(q, k, v, **options)).trace(*shapes)
            text = traced.lower(lowering_platforms=("cuda",)).as_text()
    except Exception as error:  # whatever the lowering has against it
        return " ".join(f"{type(error).__name__}: {error}".split())[:300]
    return None if "triton" in text else "the program for a GPU holds no kernel of Triton"


def refused_by_tpu(flash_forward):
    """Return why the kernel cannot be lowered for a TPU."""
    shapes = [jax.ShapeDtypeStruct((rows, 128), jnp.float32) for rows in (64, 96, 96)]
    run = jax.jit(lambda q, k, v: flash_forward(q, k, v, interpret=False))
    try:
        text = run.trace(*shapes).lower(lowering_platforms=("tpu",)).as_text()
    except Exception as error:  # whatever the lowering has against it
        return " ".join(f"{type(error).__name__}: {error}".split())[:300]
    if "tpu_custom_call" not in text:
        return "with interpret=False, the program for a TPU holds no kernel"
    return None


LARGE = random(4, scale=1e4)

PROPERTIES = [
    Uses([Call(*random())], primitives=("pallas_call",), says="Its jaxpr holds a pallas_call."),
    Custom("in-kernel", "Products and exponentials are computed in the kernel.", outside),
    Custom("memory", "The kernel reads 16 keys and values at a time.", too_much_at_once),
    Custom("float32", "For bfloat16, the kernel computes in float32.", low_precision),
    Custom("legal-on-gpu", "With interpret=False, it can be lowered for a GPU.", refused_by_gpu),
    Custom("legal-on-tpu", "With interpret=False, it can be lowered for a TPU.", refused_by_tpu),
    Types(
        [Call(*random()), Call(*(jnp.asarray(x, jnp.bfloat16) for x in random()))],
        says="The result has the dtype of q: float32 or bfloat16.",
    ),
    Finite([Call(*LARGE)], says="Scores of 10000 give finite results."),
]
