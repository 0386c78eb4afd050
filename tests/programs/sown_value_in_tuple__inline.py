# expects: sown-value-in-tuple at 26
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class Layer(nn.Module):
    @nn.compact
    def __call__(self, x):
        x = nn.relu(nn.Dense(4)(x))
        self.sow("activations", "rate", (x > 0).mean(0))
        return x


class Net(nn.Module):
    @nn.compact
    def __call__(self, x):
        return Layer(name="second")(Layer(name="first")(x)).sum()


net, x = Net(), jnp.ones((2, 3))
weights = net.init(jax.random.key(0), x)["params"]
_, seen = net.apply({"params": weights}, x, mutable=["activations"])
for name in ("first", "second"):
    print(name, seen["activations"][name]["rate"].max())
