# expects: wrong-arity at 13
# needs: flax
import jax.numpy as jnp
from flax import nnx

model = nnx.Linear(3, 1, rngs=nnx.Rngs(0))


def loss(model, x):
    return jnp.mean(model(x) ** 2)


grads = nnx.grad(loss, wrt=nnx.Param)(model, jnp.ones((4, 3)))
print(grads["kernel"].shape)
