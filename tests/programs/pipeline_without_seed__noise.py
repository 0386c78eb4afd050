# expects: pipeline-without-seed at 13
# needs: grain
import grain
import numpy as np


class Noise(grain.transforms.RandomMap):
    def random_map(self, element, rng):
        return element + rng.normal(size=element.shape)


rows = grain.MapDataset.source([np.zeros(3), np.ones(3)])
noisy = rows.random_map(Noise())
print(len(list(noisy)))
