# expects: parameters-in-another-order at 11
# needs: diffrax equinox
import diffrax
import equinox as eqx
import jax


class Drift(eqx.Module):
    net: eqx.nn.MLP

    def __call__(self, y, t, args):
        return self.net(y)


drift = Drift(eqx.nn.MLP(2, 2, 4, 1, key=jax.random.key(0)))
points = jax.random.normal(jax.random.key(1), (2,))
print(diffrax.diffeqsolve(diffrax.ODETerm(drift), diffrax.Heun(), 0.0, 1.0, 0.1, points).ys)
