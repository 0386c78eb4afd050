# expects: state-not-carried at 34
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
    def loss_fn(p):
        y, updates = net.apply({"params": p, "batch_stats": stats}, x, True, mutable=["batch_stats"])
        return jnp.mean(y**2), updates["batch_stats"]

    (loss, new_stats), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
    return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), new_stats, loss


x = jnp.arange(8.0).reshape(4, 2)
variables = net.init(jax.random.key(0), x, False)
params, stats = variables["params"], variables["batch_stats"]
losses = []
for _ in range(3):
    # The new statistics fall away here.
    # The loss falls all the same.
    params, _, loss = step(params, stats, x)
    losses.append(loss)
print(jnp.stack(losses), net.apply({"params": params, "batch_stats": stats}, x, False))
