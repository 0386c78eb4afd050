# expects: result-not-unpacked at 29
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x, train):
        x = nn.BatchNorm(use_running_average=not train)(nn.Dense(4)(x))
        return nn.Dense(2)(x)


def accuracy(logits, labels):
    return jnp.mean(jnp.argmax(logits, axis=-1) == labels)


def report(logits, labels):
    return {"accuracy": accuracy(logits, labels)}


model = Net()
x = jnp.ones((3, 5))
variables = model.init(jax.random.key(0), x, train=False)


def evaluate(variables, x, labels):
    logits = model.apply(variables, x, train=True, mutable=["batch_stats"])
    return report(logits, labels)


print(evaluate(variables, x, jnp.array([0, 1, 0])))
