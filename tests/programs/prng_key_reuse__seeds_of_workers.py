# expects: prng-key-reuse at 11
from concurrent.futures import ThreadPoolExecutor

import jax
import jax.numpy as jnp


class Worker:
    def __init__(self, images, seed):
        self.images = images
        self.key = jax.random.key(seed)

    def load(self, index):
        self.key, sub = jax.random.split(self.key)
        shift = jax.random.randint(sub, (), 0, 4)
        return jnp.roll(self.images[index], shift), int(shift)


images = jnp.arange(32.0).reshape(8, 4)
workers = [Worker(images, 0) for _ in range(4)]
with ThreadPoolExecutor(4) as pool:
    for first in range(0, 8, 4):
        jobs = [pool.submit(w.load, first + n) for n, w in enumerate(workers)]
        print([job.result()[1] for job in jobs])
