# expects: state-not-carried at 29
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(1)(nn.BatchNorm(use_running_average=not train)(x))


net = Net()


def loss_fn(params, stats, x):
    variables = {"params": params, "batch_stats": stats}
    y, updates = net.apply(variables, x, True, mutable=["batch_stats"])
    return jnp.mean(y**2), (y, updates)


@jax.jit
def step(state, x):
    (loss, (_, updates)), grads = jax.value_and_grad(loss_fn, has_aux=True)(
        state["params"], state["batch_stats"], x
    )
    params = jax.tree.map(lambda p, g: p - 0.1 * g, state["params"], grads)
    return {"params": params, "batch_stats": updates}, loss


x = jnp.arange(8.0).reshape(4, 2)
state = dict(net.init(jax.random.key(0), x, False))
for _ in range(3):
    state, loss = step(state, x)
print(loss)
