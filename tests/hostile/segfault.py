# expects: crashed: SIGSEGV
# It reads at address 0.
import ctypes


def safe_clip_positive(x):
    ctypes.string_at(0)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
