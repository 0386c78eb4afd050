# expects: crashed: SIGABRT
# It aborts.
import os


def safe_clip_positive(x):
    os.abort()
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
