# expects: crashed: SIG
# It writes over its own interpreter's objects.
import ctypes

for name in (None, int, str, dict, list, type, object):
    ctypes.memset(id(name), 0x41, 64)


def safe_clip_positive(x):
    return x
