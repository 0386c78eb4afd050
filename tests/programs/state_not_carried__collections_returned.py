# expects: state-not-carried at 28
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        return nn.Dense(1)(nn.BatchNorm(use_running_average=not train)(x))


class Trainer:
    def __init__(self, net, x):
        self.net = net
        variables = net.init(jax.random.key(0), x, False)
        self.params, self.batch_stats = variables["params"], variables["batch_stats"]
        self.step = jax.jit(self.make_step)

    def make_step(self, params, batch_stats, x):
        def loss_fn(params):
            variables = {"params": params, "batch_stats": batch_stats}
            y, changed = self.net.apply(variables, x, True, mutable=["batch_stats"])
            return jnp.mean(y**2), changed

        (loss, changed), grads = jax.value_and_grad(loss_fn, has_aux=True)(params)
        return jax.tree.map(lambda p, g: p - 0.1 * g, params, grads), changed, loss

    def fit(self, x):
        for _ in range(3):
            self.params, self.batch_stats, loss = self.step(self.params, self.batch_stats, x)
        return loss


x = jnp.arange(8.0).reshape(4, 2)
print(Trainer(Net(), x).fit(x))
