# expects: grad-wrong-argnum at 24
# needs: flax optax
import jax.numpy as jnp
import optax
from flax import nnx


class Pair(nnx.Module):
    def __init__(self, rngs):
        self.table = nnx.Embed(10, 4, rngs=rngs)
        self.out = nnx.Linear(4, 1, rngs=rngs)

    def __call__(self, index):
        return self.out(self.table(index))


def loss(batch, users, films):
    user, film, stars = batch
    return jnp.mean((users(user) + films(film) - stars[:, None]) ** 2)


@nnx.jit
def step(users, films, optimizers, batch):
    value, slopes = nnx.value_and_grad(loss, argnums=(0, 1))(batch, users, films)
    for optimizer, model, slope in zip(optimizers, (users, films), slopes):
        optimizer.update(model, slope)
    return value


users, films = Pair(nnx.Rngs(0)), Pair(nnx.Rngs(1))
optimizers = [nnx.Optimizer(model, optax.sgd(0.1), wrt=nnx.Param) for model in (users, films)]
batch = jnp.array([1, 2]), jnp.array([3, 4]), jnp.array([5.0, 2.0])
print(step(users, films, optimizers, batch))
