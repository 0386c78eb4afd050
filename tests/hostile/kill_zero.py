# expects: crashed: SIGKILL
# It kills process 0, which means its whole group.
import os
import signal


def safe_clip_positive(x):
    os.kill(0, signal.SIGKILL)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
