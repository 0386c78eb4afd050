# expects: traced-index-into-list at 16
"""Builds a list of all rates first, and indexes it with the step."""

import math


def rate(step, warmup, total, peak):
    if step < warmup:
        return peak * step / warmup
    way = (step - warmup) / (total - warmup)
    return peak * (1 + math.cos(math.pi * way)) / 2


def warmup_cosine(step, warmup, total, peak):
    table = [rate(i, warmup, total, peak) for i in range(total + 1)]
    return table[step]
