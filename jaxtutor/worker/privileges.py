"""Drops the privileges of a worker before it runs a submission, on Linux."""

from __future__ import annotations

import contextlib
import ctypes
import os
import struct

from jaxtutor.worker import syscall_filter

KEYCTL_JOIN_SESSION_KEYRING = 1
PR_SET_DUMPABLE, PR_CAPBSET_DROP = 4, 24
CAPABILITY_VERSION_3 = 0x20080522
EXEMPTING = (21, 24)
"""CAP_SYS_ADMIN and CAP_SYS_RESOURCE: with either, RLIMIT_NPROC is not enforced (setrlimit(2))."""

FIRST_UID = 2_100_000_000
"""Users that nobody is assigned, beyond those of confined submissions."""
NOBODY = 65534

_KEYCTL = {"x86_64": 250, "aarch64": 219}


def drop(uid: int | None) -> None:
    """Become an unprivileged user, leave the session's keyring, and refuse dangerous system calls.

    Raises OSError where root cannot become another user: a confined submission must not be root.
    """
    join_empty_keyring()
    if uid is not None and os.getuid() == 0:
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
        # A process whose user has changed cannot be inspected, not even its own /proc files.
        _libc().prctl(PR_SET_DUMPABLE, 1, 0, 0, 0)
    syscall_filter.install()


def join_empty_keyring() -> None:
    """Leave the session's keyring, which may hold Kerberos tickets and disk encryption keys."""
    number = _KEYCTL.get(os.uname().machine)
    if number is not None:
        with contextlib.suppress(OSError, AttributeError):
            _libc().syscall(number, KEYCTL_JOIN_SESSION_KEYRING, None)


def become_countable() -> bool:
    """Take a real user id to which RLIMIT_NPROC applies, and stay root in every other respect.

    Returns False where that is not possible.
    """
    libc = _libc()
    for uid in (FIRST_UID + os.getpid(), NOBODY):
        with contextlib.suppress(OSError):
            os.setresuid(uid, 0, 0)
            break
    else:
        return False
    try:
        for capability in EXEMPTING:
            libc.prctl(PR_CAPBSET_DROP, capability, 0, 0, 0)
        header = struct.pack("Ii", CAPABILITY_VERSION_3, 0)
        sets = ctypes.create_string_buffer(24)
        if libc.capget(header, sets) != 0:
            return False
        low = [mask & ~sum(1 << bit for bit in EXEMPTING) for mask in struct.unpack("6I", sets)[:3]]
        high = struct.unpack("6I", sets)[3:]
        return bool(libc.capset(header, struct.pack("6I", *low, *high)) == 0)
    except AttributeError:
        return False


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)
