"""Writing files."""

from __future__ import annotations

import os
import re
import tempfile
from pathlib import Path

from gradir.errors import OutputError

__all__ = ["unfinished_files", "write_file"]


def write_file(path: str | os.PathLike[str], content: bytes) -> None:
    """Write all of a file or nothing: into a new file beside it, which then takes its place."""
    target = Path(path)
    temporary = None
    try:
        # A link stays a link, and a device or pipe can't be replaced by a file.
        target = target.resolve()
        if target.exists() and not target.is_file():
            target.write_bytes(content)
            return
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", dir=target.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())  # a new name for what is not on the disk yet may outlive a crash without it
        os.chmod(temporary, target.stat().st_mode & 0o7777 if target.exists() else 0o666 & ~_umask())
        os.replace(temporary, target)
    except OSError as error:
        if temporary is not None:
            Path(temporary).unlink(missing_ok=True)
        raise OutputError(f"can't write it: {error.strerror or error}", location=str(path)) from None


def unfinished_files(path: str | os.PathLike[str]) -> list[Path]:
    """What `write_file` has left beside a file, where its process was killed on the way."""
    target = Path(path).resolve()
    if not target.parent.is_dir():
        return []
    name = re.compile(re.escape(f".{target.name}.") + r"[a-z0-9_]{8}")
    return [p for p in target.parent.iterdir() if name.fullmatch(p.name)]


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
