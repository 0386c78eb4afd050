# expects: container-for-array at 19
# needs: flax
import flax.linen as nn
import jax

SIDE = 8


class Reader(nn.Module):
    @nn.compact
    def __call__(self, pictures):
        found = nn.Conv(4, (3, 3))(pictures)
        return nn.Dense(2)(found.mean((1, 2)))


def start(seed):
    reader = Reader()
    key = jax.random.key(seed)
    return reader.init(key, (1, 8, 8, 3))


print(start(0))
