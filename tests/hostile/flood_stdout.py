# expects: timed_out: still running after
# It floods standard output.
import sys

while True:
    sys.stdout.write('x' * 999 + '\n')
