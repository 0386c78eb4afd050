# expects: wrong-arity at 15
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


model = nnx.Linear(2, 1, rngs=nnx.Rngs(0))
opt = nnx.Optimizer(model, optax.adam(1e-3), wrt=nnx.Param)


@nnx.jit
def step(model, opt, x):
    grads = nnx.grad(lambda m: (m(x) ** 2).mean())(model)
    opt.update(grads)


step(model, opt, jnp.ones((4, 2)))
