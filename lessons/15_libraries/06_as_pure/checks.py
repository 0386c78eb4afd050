"""What as-pure asks for."""

import jax
import jax.numpy as jnp
import numpy as np
from flax import nnx

from jaxtutor.core.vocabulary import Call, Custom, Gradient

JIT = False


class Affine(nnx.Module):
    """A weight and an offset."""

    def __init__(self, w, b):
        self.w = nnx.Param(jnp.array(w))
        self.b = nnx.Param(jnp.array(b))

    def __call__(self, x):
        return self.w[...] * x + self.b[...]


class Net(nnx.Module):
    """Layers in a list, with batch norm and a static number."""

    def __init__(self, seed, power=3):
        rngs = nnx.Rngs(seed)
        self.layers = nnx.List([nnx.Linear(3, 4, rngs=rngs), nnx.Linear(4, 2, rngs=rngs)])
        self.norm = nnx.BatchNorm(4, use_running_average=True, rngs=rngs)
        self.power = power

    def __call__(self, x):
        first, last = self.layers
        return last(self.norm(jnp.tanh(first(x)))) ** self.power


MODELS = {
    "layer": lambda: Affine(2.0, 1.0),
    "other": lambda: Affine(-1.0, 0.5),
    "net": lambda: Net(0),
    "square": lambda: Net(1, 2),
}


def subject(module):
    """Take a model apart, scale its arrays, and apply it."""

    def call(name, factor, x):
        state, apply = module.as_pure(MODELS[name]())
        return apply(jax.tree.map(lambda leaf: leaf * factor, state), x)

    call.as_pure = module.as_pure
    return call


EXAMPLES = [
    Call("layer", 1.0, np.array([3.0], np.float32)).gives([7.0]),
    Call("layer", 10.0, np.array([3.0], np.float32)).gives([70.0]),
]


def hidden(rng):
    """Yield other models, and inputs of several shapes."""
    yield Call("other", 3.0, rng.normal(size=(2, 2)).astype(np.float32))
    yield Call("net", 1.0, rng.normal(size=(5, 3)).astype(np.float32))
    yield Call("square", 0.5, rng.normal(size=(3,)).astype(np.float32)).when("a static attribute")


X = np.linspace(-1, 1, 12, dtype=np.float32).reshape(4, 3)


def ten_models(call):
    """Compare ten models under vmap and jit with a loop over them."""
    models = [Net(seed) for seed in range(10)]
    pure = [call.as_pure(model) for model in models]
    stacked = jax.tree.map(lambda *leaves: jnp.stack(leaves), *[state for state, _ in pure])
    apply = pure[0][1]
    with jax.default_matmul_precision("float32"):  # else a GPU keeps three digits
        together = jax.jit(jax.vmap(apply, in_axes=(0, None)))(stacked, X)
        alone = np.stack([model(X) for model in models])
    if np.shape(together) == alone.shape and np.allclose(together, alone, atol=1e-5):
        return None
    return "ten models under one vmap answer otherwise than one after the other"


def untouched(call):
    """Return what is different in the model after apply has been used."""
    model = Net(3)
    before = [np.array(leaf) for leaf in jax.tree.leaves(nnx.state(model))]
    state, apply = call.as_pure(model)
    double = jax.tree.map(lambda leaf: 2 * leaf, state)
    apply(double, X)
    jax.jit(apply)(double, X)
    after = jax.tree.leaves(nnx.state(model))
    if any(isinstance(leaf, jax.core.Tracer) for leaf in after):
        return "a tracer is left in the model"
    if all(np.array_equal(one, other) for one, other in zip(before, after, strict=True)):
        return None
    return "after apply was called with other arrays, the model has them"


def arrays_only(call):
    """Return which leaf of the state is not an array."""
    model = Net(3)
    state, _ = call.as_pure(model)
    leaves = jax.tree.leaves(state)
    odd = [leaf for leaf in leaves if not isinstance(leaf, jax.Array)]
    if odd:
        return f"a leaf of the state is a {type(odd[0]).__name__}"
    wanted = sorted(leaf.shape for leaf in jax.tree.leaves(nnx.state(model)))
    if sorted(leaf.shape for leaf in leaves) != wanted:
        return f"the state has {len(leaves)} arrays, and the model has {len(wanted)}"
    return None


PROPERTIES = [
    Custom("ten-models", "Ten models run under one vmap.", ten_models),
    Gradient([Call("net", np.float32(1.5), X)], argnums=1, says="Its gradient is right."),
    Custom("untouched", "The model that came in does not change.", untouched),
    Custom("arrays-only", "The state has the model's arrays, and nothing else.", arrays_only),
]
