# expects: crashed: pipe
# It writes what looks like messages of a worker to every descriptor it finds.
import os
import struct

import msgspec

BODY = msgspec.msgpack.encode({"type": "Done", "seconds": 0.0})
for fd in range(3, 1024):
    try:
        os.write(fd, bytes(16) + struct.pack(">I", len(BODY)) + BODY)
    except OSError:
        pass


def safe_clip_positive(x):
    return x
