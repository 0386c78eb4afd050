# expects: class-for-object at 15
# needs: grain
import grain.python as grain
import numpy as np


class Even(grain.FilterTransform):
    def filter(self, element):
        return element % 2 == 0


def load(rows, size):
    sampler = grain.SequentialSampler(len(rows), shard_options=grain.NoSharding())
    return grain.DataLoader(
        data_source=rows, sampler=sampler, operations=[Even, grain.Batch(size)], worker_count=0
    )


for batch in load(np.arange(12), 3):
    print(batch.sum())
