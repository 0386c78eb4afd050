# expects: state-not-carried at 25
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(1)(nn.BatchNorm(use_running_average=not train)(x))


net = Net()


@jax.jit
def step(params, stats, x):
    def loss(params):
        variables = {"params": params, "batch_stats": stats}
        y, changed = net.apply(variables, x, True, mutable=["batch_stats"])
        return jnp.mean(y**2), changed["batch_stats"]

    grad = jax.value_and_grad(loss, has_aux=True)
    (value, changed), grads = grad(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), value


x = jnp.arange(8.0).reshape(4, 2)
variables = net.init(jax.random.key(0), x, False)
params = variables["params"]
for _ in range(3):
    params, value = step(params, variables["batch_stats"], x)
print(value)
