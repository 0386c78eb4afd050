# expects: shape-mismatch-matmul at 15
# needs: diffrax
import diffrax
import jax
import jax.numpy as jnp


class Langevin:
    temperature = 0.5

    def drift(self, t, y, args):
        return -y

    def noise(self, t, y, args):
        return jnp.full_like(y, self.temperature)

    def sample(self, key, y0):
        path = diffrax.VirtualBrownianTree(0.0, 1.0, tol=1e-2, shape=y0.shape, key=key)
        terms = diffrax.MultiTerm(
            diffrax.ODETerm(self.drift), diffrax.ControlTerm(self.noise, path)
        )
        return diffrax.diffeqsolve(terms, diffrax.Heun(), 0.0, 1.0, 0.1, y0).ys


print(Langevin().sample(jax.random.key(0), jnp.ones(2)))
