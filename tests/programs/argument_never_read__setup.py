# expects: argument-never-read at 18
# needs: flax optax
import flax.linen as nn
import jax
import jax.numpy as jnp
import optax


class Potential(nn.Module):
    width: int

    @nn.compact
    def __call__(self, x):
        return nn.Dense(1)(jnp.tanh(nn.Dense(self.width)(x)))[..., 0]


class Solver:
    def __init__(self, model, optimizer, key, weights=None, count=8):
        self.model, self.optimizer, self.count = model, optimizer, count
        self.weights = model.init(key, jnp.zeros((1, 2)))
        self.state = optimizer.init(self.weights)

    def fit(self, points, goals):
        def loss(weights):
            return jnp.mean((self.model.apply(weights, points) - goals) ** 2)

        for _ in range(self.count):
            updates, self.state = self.optimizer.update(jax.grad(loss)(self.weights), self.state)
            self.weights = optax.apply_updates(self.weights, updates)
        return loss(self.weights)


model, optimizer = Potential(16), optax.adam(1e-2)
first_key, second_key, data_key = jax.random.split(jax.random.key(0), 3)
points = jax.random.normal(data_key, (32, 2))
first = Solver(model, optimizer, first_key)
print(first.fit(points, points[:, 0]))
second = Solver(model, optimizer, second_key, weights=first.weights)
print(second.fit(points, points[:, 0] + 0.1))
