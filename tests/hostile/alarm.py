# expects: crashed: SIGALRM
# An alarm that it set ends it.
# or: timed_out: still running after
import signal
import time

signal.alarm(1)


def safe_clip_positive(x):
    time.sleep(100)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
