# expects: nnx-list-of-modules at 12
# needs: flax optax
import jax
import jax.numpy as jnp
import optax
from flax import nnx


class MultiTask(nnx.Module):
    def __init__(self, tasks, rngs):
        self.trunk = nnx.Linear(5, 16, rngs=rngs)
        self.heads = {name: nnx.Linear(16, size, rngs=rngs) for name, size in tasks.items()}

    def __call__(self, x, task):
        return self.heads[task](nnx.relu(self.trunk(x)))


TASKS = {"age": 1, "mood": 4}
model = MultiTask(TASKS, nnx.Rngs(0))
optimizer = nnx.Optimizer(model, optax.adam(1e-2), wrt=nnx.Param)
x = jax.random.normal(jax.random.key(1), (8, 5))


def loss_fn(model):
    return (model(x, "age") ** 2).mean() + (model(x, "mood") ** 2).mean()


for _ in range(3):
    loss, grads = nnx.value_and_grad(loss_fn)(model)
    optimizer.update(model, grads)
print(float(loss) > 0)
