"""Which compilers there are on this machine."""

from __future__ import annotations

from gradir.errors import BackendError
from gradir.frontends.fortran import flang

__all__ = ["has_flang"]


def has_flang() -> bool:
    try:
        flang()
    except BackendError:
        return False
    return True
