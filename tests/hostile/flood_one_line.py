# expects: timed_out: still running after
# It floods standard output, without ever ending a line.
import sys

while True:
    sys.stdout.write('x' * 9999)
