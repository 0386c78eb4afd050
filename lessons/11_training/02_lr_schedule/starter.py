"""A schedule of a traced step: up in a line, down along a cosine."""

import math


def warmup_cosine(step, warmup, total, peak):
    """Return the learning rate at a step."""
    # TODO: this works for a Python number only.
    if step < warmup:
        return peak * step / warmup
    way = min((step - warmup) / (total - warmup), 1)
    return peak * (1 + math.cos(math.pi * way)) / 2
