# expects: prng-key-reuse at 25
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.Dropout(0.5, deterministic=False)(nn.Dense(8)(x))
        return nn.Dense(1)(x)


model = Net()
xs = jnp.ones((6, 2))
init_key, drop_key, mask_key = jax.random.split(jax.random.key(0), 3)
params = model.init({"params": init_key, "dropout": drop_key}, xs[0])


def predict(x):
    return model.apply(params, x, rngs={"dropout": mask_key})


print(jax.jit(lambda xs: jax.vmap(predict)(xs))(xs).shape)
