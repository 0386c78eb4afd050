# expects: timed_out: still running after
# It floods its output with bytes that are no text, past Python's streams.
import os

while True:
    os.write(1, bytes(range(256)) * 100)
    os.write(2, bytes(range(256)) * 100)
