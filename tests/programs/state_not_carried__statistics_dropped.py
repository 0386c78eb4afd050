# expects: state-not-carried at 22
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(1)(nn.BatchNorm(use_running_average=not train)(x))


net, x = Net(), jnp.arange(8.0).reshape(4, 2)
variables = net.init(jax.random.key(0), x, False)
params, stats = variables["params"], variables["batch_stats"]


@jax.jit
def step(params, stats):
    def loss_fn(p):
        y, _ = net.apply({"params": p, "batch_stats": stats}, x, True, mutable=["batch_stats"])
        return jnp.mean(y**2)

    return jax.tree.map(lambda p, g: p - 0.1 * g, params, jax.grad(loss_fn)(params))


for _ in range(3):
    params = step(params, stats)
print(net.apply({"params": params, "batch_stats": stats}, x, False))
