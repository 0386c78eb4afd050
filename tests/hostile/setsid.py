# expects: timed_out: still running after
# It tries to leave its session, and its child, which can, never ends.
import os
import time

try:
    os.setsid()
except OSError:
    pass
if os.fork() == 0:
    os.setsid()
while True:
    time.sleep(1)
