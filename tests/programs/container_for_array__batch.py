# expects: container-for-array at 25
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Scores(nn.Module):
    @nn.compact
    def __call__(self, pixels):
        flat = nn.Dense(4)(pixels)
        return nn.Dense(2)(nn.relu(flat))


class Trainer:
    def __init__(self, key):
        self.model = Scores()
        self.variables = self.model.init(key, jnp.ones((1, 3)))

    def evaluate(self, examples):
        return self.loss(self.variables, examples)

    def loss(self, variables, examples):
        logits = self.model.apply(variables, examples)
        loss = optax.softmax_cross_entropy_with_integer_labels(logits, examples["digit"])
        return loss.mean()


Trainer(jax.random.key(0)).evaluate({"pixels": jnp.ones((5, 3)), "digit": jnp.zeros(5, int)})
