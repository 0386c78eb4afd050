# expects: array-lacks-axis at 7
import jax
import jax.numpy as jnp


def init(key, data):
    features = data.shape[1]
    return jax.random.normal(key, (features,))


class Model:
    def fit(self, data, targets):
        weights = init(jax.random.key(0), data)
        return jnp.mean((data @ weights - targets) ** 2)


print(Model().fit(jnp.arange(6.0), jnp.ones(6)))
