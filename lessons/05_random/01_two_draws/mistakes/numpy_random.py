# expects: impure-host-random at 8
"""Draws with numpy, and never looks at the key."""

import numpy as np


def two_normals(key, n):
    return np.random.normal(size=(2, n)).astype(np.float32)
