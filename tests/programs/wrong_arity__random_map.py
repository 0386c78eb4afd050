# expects: wrong-arity at 8
# needs: grain
import grain
import numpy as np


class Flip(grain.transforms.RandomMap):
    def random_map(self, image):
        return image[::-1] if np.random.random() < 0.5 else image


images = [np.arange(4.0), np.arange(4.0) + 1]
rows = grain.MapDataset.source(images).seed(3).random_map(Flip())
print(sum(image.sum() for image in list(rows)))
