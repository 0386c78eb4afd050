# expects: timed_out: still running after
# It floods standard error.
import sys

while True:
    sys.stderr.write('x' * 999 + '\n')
