# expects: average-weights-swapped at 14
from typing import NamedTuple

import jax.numpy as jnp


class Monitor(NamedTuple):
    count: int
    avg_loss: float


def record(monitor, loss, decay=0.98):
    return monitor._replace(
        count=monitor.count + 1, avg_loss=(1.0 - decay) * monitor.avg_loss + decay * loss
    )


monitor = Monitor(0, 0.0)
for n in range(5):
    monitor = record(monitor, float(jnp.sin(n)))
print(monitor)
