# expects: metric-reads-other-argument at 22
# needs: flax
import jax
import jax.numpy as jnp
from flax import nnx


class Net(nnx.Module):
    def __init__(self, rngs):
        self.linear = nnx.Linear(4, 1, rngs=rngs)

    def __call__(self, x):
        return self.linear(x)[:, 0]


def evaluate(model, metrics, x, y):
    error = model(x) - y
    metrics.update(mse=error**2, bias=error)
    return metrics.compute()


metrics = nnx.MultiMetric(mse=nnx.metrics.Average("mse"), bias=nnx.metrics.Average())
x = jnp.ones((3, 4))
print(sorted(evaluate(Net(nnx.Rngs(0)), metrics, x, x.sum(1))))
