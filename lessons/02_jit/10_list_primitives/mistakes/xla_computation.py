# expects: removed-api at 8
"""Follows an old answer."""

import jax


def primitive_names(f, *args):
    text = jax.xla_computation(f)(*args).as_hlo_text()
    return sorted({line.split("=")[1].split()[1] for line in text.splitlines() if "=" in line})
