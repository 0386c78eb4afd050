"""Lists the usual import lines of names that programs use as if they were built in."""

from __future__ import annotations

from collections.abc import Mapping

IMPORTS: Mapping[str, str] = {
    "jnp": "import jax.numpy as jnp",
    "jax": "import jax",
    "np": "import numpy as np",
    "onp": "import numpy as onp",
    "numpy": "import numpy",
    "math": "import math",
    "functools": "import functools",
    "partial": "from functools import partial",
    "reduce": "from functools import reduce",
    "lru_cache": "from functools import lru_cache",
    "lax": "from jax import lax",
    "random": "from jax import random",
    "vmap": "from jax import vmap",
    "grad": "from jax import grad",
    "jit": "from jax import jit",
    "nn": "from jax import nn",
    "tree_util": "from jax import tree_util",
    "jsp": "import jax.scipy as jsp",
    "scipy": "import scipy",
    "time": "import time",
    "os": "import os",
    "sys": "import sys",
    "re": "import re",
    "json": "import json",
    "warnings": "import warnings",
    "itertools": "import itertools",
    "operator": "import operator",
    "collections": "import collections",
    "defaultdict": "from collections import defaultdict",
    "deque": "from collections import deque",
    "dataclasses": "import dataclasses",
    "dataclass": "from dataclasses import dataclass",
    "Callable": "from collections.abc import Callable",
    "NamedTuple": "from typing import NamedTuple",
    "P": "from jax.sharding import PartitionSpec as P",
    "Mesh": "from jax.sharding import Mesh",
    "NamedSharding": "from jax.sharding import NamedSharding",
    "checkify": "from jax.experimental import checkify",
    "optax": "import optax",
    "flax": "import flax",
    "equinox": "import equinox",
    "eqx": "import equinox as eqx",
    "einops": "import einops",
}

SHARED = frozenset({"random", "nn", "scipy", "operator", "collections"})
"""Names that stand for different modules in different programs."""
