"""What a reader's process may not do: use much memory or time, write outside its folder, reach the network, see other processes.

Resource limits are always set. Landlock (Linux 5.13) and namespaces are used where the kernel grants them without extra rights.
"""

import ctypes
import os
import resource
import struct
from pathlib import Path

_CLONE_NEWUSER, _CLONE_NEWPID, _CLONE_NEWNET, _CLONE_NEWIPC = 0x10000000, 0x20000000, 0x40000000, 0x08000000
_PR_SET_NO_NEW_PRIVS = 38
# The same numbers on every architecture (Documentation/userspace-api/landlock.rst).
_LANDLOCK_CREATE, _LANDLOCK_ADD, _LANDLOCK_RESTRICT = 444, 445, 446
_LANDLOCK_ABI_QUERY = 1
_LANDLOCK_PATH_BENEATH = 1
_WRITE_FILE = 1 << 1
_CHANGES = _WRITE_FILE | sum(1 << bit for bit in range(4, 13))
_REFER, _TRUNCATE = 1 << 13, 1 << 14


def limit_resources(memory_bytes: int, open_files: int, file_bytes: int) -> None:
    """Bound address space, descriptors, the size of any file written, and forbid core dumps; for this process and its children."""
    for kind, most in (
        (resource.RLIMIT_AS, memory_bytes),
        (resource.RLIMIT_NOFILE, open_files),
        (resource.RLIMIT_FSIZE, file_bytes),
        (resource.RLIMIT_CORE, 0),
    ):
        hard = resource.getrlimit(kind)[1]
        bound = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(kind, (bound, bound))


def allow_cpu(seconds: float) -> None:
    """Let this process use `seconds` more of CPU time; the kernel ends it with SIGXCPU afterwards."""
    used = resource.getrusage(resource.RUSAGE_SELF)
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = int(used.ru_utime + used.ru_stime + seconds) + 1
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))


def leave_namespaces() -> bool:
    """Leave the network, and the view of other processes for children started next; whether the kernel granted it.

    Must be called while the process has one thread.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    apart = _CLONE_NEWNET | _CLONE_NEWPID | _CLONE_NEWIPC
    # Without a user namespace first: root keeps its right to read the files of others; ordinary users need one.
    return hasattr(libc, "unshare") and (libc.unshare(apart) == 0 or libc.unshare(apart | _CLONE_NEWUSER) == 0)


def write_only_below(folder: Path) -> bool:
    """Give up writing anywhere but below `folder`, for this process and its children; whether the kernel granted it."""
    libc = ctypes.CDLL(None, use_errno=True)
    return hasattr(libc, "prctl") and libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 and _restrict_writing(libc, folder)


def _restrict_writing(libc: ctypes.CDLL, folder: Path) -> bool:
    abi = libc.syscall(_LANDLOCK_CREATE, None, 0, _LANDLOCK_ABI_QUERY)
    if abi < 1:
        return False
    handled = _CHANGES | (_REFER if abi >= 2 else 0) | (_TRUNCATE if abi >= 3 else 0)
    rules = libc.syscall(_LANDLOCK_CREATE, struct.pack("=Q", handled), 8, 0)
    if rules < 0:
        return False
    try:
        beneath = ((folder, handled), (Path(os.devnull), handled & (_WRITE_FILE | _TRUNCATE)))
        if not all(_allow_below(libc, rules, path, rights) for path, rights in beneath):
            return False
        return bool(libc.syscall(_LANDLOCK_RESTRICT, rules, 0) == 0)
    finally:
        os.close(rules)


def _allow_below(libc: ctypes.CDLL, rules: int, path: Path, rights: int) -> bool:
    place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    try:
        return bool(libc.syscall(_LANDLOCK_ADD, rules, _LANDLOCK_PATH_BENEATH, struct.pack("=Qi", rights, place), 0) == 0)
    finally:
        os.close(place)
