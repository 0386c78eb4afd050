# expects: crashed: exit status 1
# It puts its standard output in the place of every descriptor it finds.
# in diagnose: crashed: ended
import os

for fd in range(3, 1024):
    try:
        os.fstat(fd)
    except OSError:
        continue
    os.dup2(1, fd)


def safe_clip_positive(x):
    return x
