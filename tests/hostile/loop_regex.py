# expects: timed_out: still running after
# A regular expression of it tries every way there is.
import re


def safe_clip_positive(x):
    re.match(r"(a+)+$", "a" * 60 + "b")
    return x


if __name__ == "__main__":
    safe_clip_positive(1)
