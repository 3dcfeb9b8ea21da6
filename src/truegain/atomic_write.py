"""Files that are written whole or not at all, and of which a process that is killed leaves nothing behind."""

from __future__ import annotations

import contextlib
import errno
import os
import time
from collections.abc import Iterator
from pathlib import Path

#: What a process that writes for longer than this, in seconds, has left is taken for that of one that was killed.
LONG = 3600

# Without a name there is nothing to sweep up: Linux writes such files, on most of its file systems.
_NAMELESS: int = getattr(os, "O_TMPFILE", 0)
_NOT_HERE = {errno.EOPNOTSUPP, errno.EISDIR, errno.EINVAL, errno.ENOSYS, errno.ENOENT, errno.EXDEV, errno.EPERM}


def is_stream(path: str | Path) -> bool:
    """Return whether a path is that of a pipe or a device, which is written to and cannot be replaced.

    Ask of the path as it was given: what ``/dev/stdout`` and ``/dev/fd/63`` resolve to does not exist if it is a pipe.
    """
    path = Path(path)
    return path.exists() and not path.is_file() and not path.is_dir()


def replace_file(path: Path, content: bytes, *, prefix: str, suffix: str, mode: int, durable: bool) -> None:
    """Replace a file by another, complete one; until then the old one stays.

    Parameters
    ----------
    path : Path
    content : bytes
    prefix, suffix : str
        Beginning and end of the new file's temporary name (kept all the while, if files need names).
    mode : int
        Its permissions.
    durable : bool
        Whether it must be on the disk, and not only on its way there, before the old one goes.

    Raises
    ------
    OSError
        If it cannot be written; then the old file is as it was.
    """
    temporary = _nameless(path.parent, content, prefix, suffix, mode, durable)
    if temporary is None:
        temporary = _named(path.parent, content, prefix, suffix, mode, durable)
    try:
        temporary.replace(path)
    except BaseException:
        _remove(temporary)
        raise


@contextlib.contextmanager
def new_folder(path: Path) -> Iterator[Path]:
    """Give a folder to write into that gets its name when the block ends; if it fails, nothing is left of it.

    Raises
    ------
    OSError
        If it cannot be made, or a folder of that name holds something.
    """
    import shutil
    import tempfile

    path = path.resolve()
    if path.exists() and (not path.is_dir() or any(path.iterdir())):
        raise FileExistsError(errno.EEXIST, "there is something already", str(path))
    path.parent.mkdir(parents=True, exist_ok=True)
    temporary = Path(tempfile.mkdtemp(dir=path.parent, prefix=f".{path.name[:50]}.", suffix=".new"))
    try:
        yield temporary
        temporary.chmod(0o777 & ~umask())
        temporary.rename(path)
    except BaseException:
        shutil.rmtree(temporary, ignore_errors=True)
        raise


def umask() -> int:
    """Return the permissions that new files do not get."""
    mask = os.umask(0)
    os.umask(mask)
    return mask


def sweep(folder: Path, *, prefix: str, suffix: str) -> None:
    """Remove what processes that were killed while they wrote have left; what is young may still be written."""
    import glob

    long_ago = time.time() - LONG
    with contextlib.suppress(OSError):
        for path in folder.glob(f"{glob.escape(prefix)}*{glob.escape(suffix)}"):
            with contextlib.suppress(OSError):
                if path.lstat().st_mtime < long_ago:
                    path.unlink()


def _nameless(folder: Path, content: bytes, prefix: str, suffix: str, mode: int, durable: bool) -> Path | None:
    """Write a file that gets its name when it is complete; None if such files are not supported."""
    if not _NAMELESS:
        return None
    try:
        handle = os.open(folder, _NAMELESS | os.O_WRONLY, 0o600)
    except OSError as error:
        if error.errno in _NOT_HERE:
            return None
        raise
    with os.fdopen(handle, "wb") as stream:
        _fill(stream.fileno(), content, mode, durable)
        path = folder / f"{prefix}{os.urandom(8).hex()}{suffix}"
        around = os.open(folder, os.O_RDONLY)
        try:
            # With a folder named, the link is followed to the file; without, the link itself would be linked to.
            os.link(f"/proc/self/fd/{stream.fileno()}", path, src_dir_fd=around, follow_symlinks=True)
        except OSError as error:
            if error.errno in _NOT_HERE:
                return None
            raise
        except BaseException:
            _remove(path)
            raise
        finally:
            os.close(around)
    return path


def _named(folder: Path, content: bytes, prefix: str, suffix: str, mode: int, durable: bool) -> Path:
    import tempfile

    handle, name = tempfile.mkstemp(dir=folder, prefix=prefix, suffix=suffix)
    path = Path(name)
    try:
        with os.fdopen(handle, "wb") as stream:
            _fill(stream.fileno(), content, mode, durable)
    except BaseException:
        _remove(path)
        raise
    return path


def _fill(handle: int, content: bytes, mode: int, durable: bool) -> None:
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(handle, rest) :]
    if durable:
        os.fsync(handle)
    if hasattr(os, "fchmod"):
        os.fchmod(handle, mode)


def _remove(path: Path) -> None:
    with contextlib.suppress(OSError):
        path.unlink()
