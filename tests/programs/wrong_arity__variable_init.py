# expects: wrong-arity at 13
# needs: flax
import flax.linen as nn
import jax
import jax.numpy as jnp


class SpectralDense(nn.Module):
    features: int

    @nn.compact
    def __call__(self, x):
        u = self.variable("spectral", "u", nn.initializers.normal(1.0), (1, self.features))
        kernel = self.param("kernel", nn.initializers.lecun_normal(), (x.shape[-1], self.features))
        return x @ (kernel / jnp.linalg.norm(u.value @ kernel.T))


print(jax.tree.map(jnp.shape, SpectralDense(5).init(jax.random.key(0), jnp.ones((2, 3)))))
