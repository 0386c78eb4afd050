# expects: check jit
# says: Your function deletes the caller's arrays. Moving an array must leave the old one as it is.
"""Donates the arguments."""

import jax


def run_on(device, f, *args):
    with jax.default_device(device):
        moved = jax.device_put(args, device)
        answer = jax.device_put(f(*moved), device)
    for leaf in jax.tree.leaves(args):
        leaf.delete()
    return answer
