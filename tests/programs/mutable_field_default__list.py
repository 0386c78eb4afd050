# expects: mutable-field-default at 9
# needs: equinox
import equinox as eqx
import jax


class Encoder(eqx.Module):
    depth: int
    widths: list[int] = [16, 16]

    def __call__(self, x):
        for width in self.widths:
            x = jax.nn.relu(x[:width])
        return x


print(Encoder(2).widths)
