# expects: wrong-arity at 24
# needs: flax absl
import jax
import jax.numpy as jnp
from absl import app, flags
from flax import linen as nn

FLAGS = flags.FLAGS
flags.DEFINE_integer("width", 8, "units")


class Net(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(nn.relu(nn.Dense(self.width)(x)))


def evaluate(model, variables, x):
    return jnp.mean(model.apply(variables, x))


def main():
    model = Net(FLAGS.width)
    x = jnp.ones((4, 3))
    variables = model.init(jax.random.key(0), x)
    print(evaluate(model, variables, x).shape)


app.run(main, argv=["evaluate"])
