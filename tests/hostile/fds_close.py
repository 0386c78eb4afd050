# expects: crashed: its process ended
# It closes every descriptor.
# in diagnose: crashed: ended
import os

os.closerange(0, 4096)


def safe_clip_positive(x):
    return x
