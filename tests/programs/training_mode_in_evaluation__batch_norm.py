# expects: training-mode-in-evaluation at 27
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, is_training):
        x = nn.BatchNorm(use_running_average=not is_training)(nn.Dense(4)(x))
        return nn.Dense(1)(x)


net = Net()


def loss(params, stats, x):
    variables = {"params": params, "batch_stats": stats}
    y, changed = net.apply(variables, x, is_training=True, mutable=["batch_stats"])
    return jnp.mean((y - 1.0) ** 2), changed["batch_stats"]


@jax.jit
def score(params, stats, x):
    variables = {"params": params, "batch_stats": stats}
    y = net.apply(variables, x, is_training=True, mutable=["batch_stats"])[0]
    return jnp.mean(y)


x = jnp.arange(8.0).reshape(4, 2)
variables = net.init(jax.random.key(0), x, is_training=True)
params, stats = variables["params"], variables["batch_stats"]
for _ in range(3):
    grads, stats = jax.grad(loss, has_aux=True)(params, stats, x)
    params = jax.tree.map(lambda p, g: p - 0.1 * g, params, grads)
print(score(params, stats, x[:2]))
