# expects: crashed: SIGVTALRM
# A timer of its processor time ends it.
# or: timed_out: still running after
import signal

signal.setitimer(signal.ITIMER_VIRTUAL, 0.5)


def safe_clip_positive(x):
    while True:
        pass


if __name__ == "__main__":
    safe_clip_positive(1)
