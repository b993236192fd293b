"""`gradir cache`: what was compiled before, and is kept on disk."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path
from typing import Any

from gradir.errors import OutputError

__all__ = ["add_commands"]

EXAMPLES = """
gradir cache                       where it is, and how large
gradir cache --clear               empty it
gradir cache --clear --older 30    only what was not made in the last 30 days
"""


def add_commands(commands: Any) -> None:
    """Add the command to a parser's."""
    cache = commands.add_parser(
        "cache",
        help="say what is kept of compiled code, or empty it",
        description="Say what is kept of compiled code (in GRADIR_CACHE, or a folder of yours), or empty it.",
        examples=EXAMPLES,
    )
    cache.add_argument("--clear", action="store_true", help="delete what is kept; it is made again when it is needed")
    cache.add_argument("--older", type=float, metavar="DAYS", help="--clear: only what was made before that")
    cache.set_defaults(command=_cache)


def _cache(arguments: argparse.Namespace) -> None:
    from gradir.cli.terminal import UsageError
    from gradir.machine.jit import cache_folder

    if arguments.older is not None and not arguments.clear:
        raise UsageError("--older is for --clear", word="--older")
    folder = cache_folder()
    if folder is None:
        print("nothing is kept: GRADIR_CACHE is off")
        return
    files = _files(folder)
    if not arguments.clear:
        print(f"{folder}: {len(files):,} files, {_size(files)}")
        return
    before = time.time() - (arguments.older or 0) * 86400
    old = [f for f in files if arguments.older is None or f.stat().st_mtime < before]
    size = _size(old)
    for file in old:
        try:
            file.unlink(missing_ok=True)
        except OSError as error:
            raise OutputError(f"can't delete it: {error.strerror or error}", location=str(file)) from None
    print(f"{folder}: {len(old):,} files deleted, {size}", file=sys.stdout)


def _files(folder: Path) -> list[Path]:
    """What gradir has put there: others' files are none of its business."""
    if not folder.is_dir():
        return []
    return [f for f in sorted(folder.iterdir()) if f.is_file() and f.suffix in (".o", ".so", ".bc", ".ll")]


def _size(files: list[Path]) -> str:
    size = float(sum(f.stat().st_size for f in files))
    for unit in ("bytes", "kB", "MB"):
        if size < 1000:
            return f"{size:.0f} {unit}" if unit == "bytes" else f"{size:.1f} {unit}"
        size /= 1000
    return f"{size:.1f} GB"
