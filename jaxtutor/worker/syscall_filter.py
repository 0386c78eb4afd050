"""Refuses system calls that a submission does not need and that reach beyond its namespaces.

The list is a seccomp filter (seccomp(2)): a program in classic BPF that the kernel runs for each
call. What is refused fails with EPERM, so that Python raises PermissionError; clone3(2), whose
flags a filter cannot see, fails with ENOSYS, after which the C library uses clone(2).
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2

ALLOW = 0x7FFF0000
ERRNO = 0x00050000

LOAD, JUMP_IF_EQUAL, JUMP_IF_AT_LEAST, JUMP_IF_ANY, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16
"""Offsets in `struct seccomp_data`; both architectures are little-endian."""

NEW_NAMESPACES = 0x7E020000
"""CLONE_NEWNS, -CGROUP, -UTS, -IPC, -USER, -PID and -NET."""

FAMILIES = (1, 2, 10)
"""AF_UNIX, AF_INET and AF_INET6, which the namespace of networks contains. AF_VSOCK reaches the
hypervisor, AF_ALG and AF_NETLINK the kernel."""

X32 = 0x40000000
"""The bit of calls by the x32 interface of x86-64, which has other numbers."""

# The calls that have one number everywhere: those since Linux 5.0.
_COMMON = {
    "io_uring_setup": 425,
    "io_uring_enter": 426,
    "io_uring_register": 427,
    "open_tree": 428,
    "move_mount": 429,
    "fsopen": 430,
    "fsconfig": 431,
    "fsmount": 432,
    "fspick": 433,
    "pidfd_getfd": 438,
    "mount_setattr": 442,
    "quotactl_fd": 443,
    "memfd_secret": 447,
}

_NAMES = (
    "ptrace process_vm_readv process_vm_writev kcmp kexec_load kexec_file_load init_module "
    "finit_module delete_module add_key request_key keyctl bpf perf_event_open userfaultfd mount "
    "umount2 pivot_root chroot unshare setns name_to_handle_at open_by_handle_at fanotify_init "
    "reboot swapon swapoff quotactl acct settimeofday clock_settime adjtimex clock_adjtime "
    "sethostname setdomainname syslog vhangup lookup_dcookie"
).split()
_X86_64 = (
    "101 310 311 312 246 320 175 313 176 248 249 250 321 298 323 165 166 155 161 272 308 303 304 "
    "300 169 167 168 179 163 164 227 159 305 170 171 103 153 212"
)
_AARCH64 = (
    "117 270 271 272 104 294 105 273 106 217 218 219 280 241 282 40 39 41 51 97 268 264 265 "
    "262 142 224 225 60 89 170 112 171 266 161 162 116 58 18"
)


def _table(numbers: str) -> dict[str, int]:
    return {**dict(zip(_NAMES, map(int, numbers.split()), strict=True), **_COMMON)}


# AUDIT_ARCH of the machine, the refused calls, clone, clone3 and socket.
_MACHINES = {
    "x86_64": (0xC000003E, _table(_X86_64) | {"iopl": 172, "ioperm": 173}, 56, 435, 41),
    "aarch64": (0xC00000B7, _table(_AARCH64), 220, 435, 198),
}

Instruction = tuple[int, int, int, int]


def make_filter(machine: str) -> bytes:
    """Return the filter for a machine as `os.uname` names it; empty if its calls are not known."""
    if machine not in _MACHINES:
        return b""
    architecture, refused, clone, clone3, socket = _MACHINES[machine]
    eperm, enosys, allow = ERRNO | errno.EPERM, ERRNO | errno.ENOSYS, ALLOW
    code: list[Instruction] = [
        (LOAD, 0, 0, ARCHITECTURE),
        (JUMP_IF_EQUAL, 1, 0, architecture),
        (RETURN, 0, 0, eperm),
        (LOAD, 0, 0, NUMBER),
        (JUMP_IF_AT_LEAST, 0, 1, X32),
        (RETURN, 0, 0, enosys),
        (JUMP_IF_EQUAL, 0, 1, clone3),
        (RETURN, 0, 0, enosys),
    ]
    for number in sorted(refused.values()):
        code += [(JUMP_IF_EQUAL, 0, 1, number), (RETURN, 0, 0, eperm)]
    code += [
        (JUMP_IF_EQUAL, 0, 4, clone),
        (LOAD, 0, 0, FIRST_ARGUMENT),
        (JUMP_IF_ANY, 0, 1, NEW_NAMESPACES),
        (RETURN, 0, 0, eperm),
        (RETURN, 0, 0, allow),
        (JUMP_IF_EQUAL, 1, 0, socket),
        (RETURN, 0, 0, allow),
        (LOAD, 0, 0, FIRST_ARGUMENT),
    ]
    for family in FAMILIES:
        code += [(JUMP_IF_EQUAL, 0, 1, family), (RETURN, 0, 0, allow)]
    code += [(RETURN, 0, 0, eperm)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def install() -> bool:
    """Filter the calls of this process and of all that it starts; it cannot be undone.

    Returns False on a machine whose calls are not known. Raises OSError if the system refuses.
    """
    program = make_filter(os.uname().machine)
    if not program:
        return False
    buffer = ctypes.create_string_buffer(program, len(program))
    described = struct.pack("HxxxxxxP", len(program) // 8, ctypes.addressof(buffer))
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_NO_NEW_PRIVS)")
    if libc.prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, described, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl(PR_SET_SECCOMP)")
    return True
