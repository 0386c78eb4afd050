# expects: probabilities-as-logits at 15
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Classifier(nn.Module):
    classes: int

    @nn.compact
    def __call__(self, x):
        x = nn.Dense(self.classes)(nn.relu(nn.Dense(8)(x)))
        return nn.softmax(x)


model = Classifier(3)
x, y = jnp.ones((4, 2)), jnp.array([0, 1, 2, 0])
variables = model.init(jax.random.key(0), x)


def loss(variables):
    scores = model.apply(variables, x)
    return optax.softmax_cross_entropy_with_integer_labels(scores, y).mean()


print(jax.value_and_grad(loss)(variables)[0])
