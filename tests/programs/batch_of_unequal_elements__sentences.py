# expects: batch-of-unequal-elements at 21
# needs: grain
import grain
import jax.numpy as jnp
import numpy as np


class Tokens:
    """Sentences as numbers, one for each character."""

    def __init__(self, sentences):
        self.rows = [np.frombuffer(s.encode(), np.uint8) for s in sentences]

    def __len__(self):
        return len(self.rows)

    def __getitem__(self, n):
        return self.rows[n]


batches = grain.MapDataset.source(Tokens(["one", "three"])).batch(2)


def lengths(batches):
    return [jnp.sum(tokens > 0, axis=1) for tokens in batches]


print(lengths(batches))
