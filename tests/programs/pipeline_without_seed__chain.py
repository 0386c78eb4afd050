# expects: pipeline-without-seed at 12
# needs: grain
import grain
import jax.numpy as jnp
import numpy as np


def make_batches(images, labels, size):
    def read(index):
        return {"image": images[index], "label": labels[index]}

    return grain.MapDataset.range(len(images)).shuffle().map(read).batch(batch_size=size)


images = np.ones((6, 4, 4), np.float32)
for batch in make_batches(images, np.arange(6), 3):
    print(jnp.mean(batch["image"]))
