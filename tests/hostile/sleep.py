# expects: timed_out: still running after
# It sleeps.
import time


def safe_clip_positive(x):
    time.sleep(10**6)
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
