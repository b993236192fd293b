"""Which of NumPy's functions a routine stands for that Numba calls: for messages in the user's words."""

from __future__ import annotations

__all__ = ["numpy_function"]

_FUNCTIONS = {
    "geqrf": "np.linalg.qr",
    "xxgqr": "np.linalg.qr",
    "gesdd": "np.linalg.svd, or what uses it (pinv, cond, matrix_rank, the norm of order 2)",
    "rgeev": "np.linalg.eig or eigvals",
    "cgeev": "np.linalg.eig or eigvals",
    "xxxevd": "np.linalg.eigh or eigvalsh",
    "gelsd": "np.linalg.lstsq",
}


def numpy_function(routine: str) -> str | None:
    """What a user wrote who has this routine called.

    >>> numpy_function("numba_ez_geqrf"), numpy_function("cos")
    ('np.linalg.qr', None)
    """
    return _FUNCTIONS.get(routine.removeprefix("numba_").removeprefix("ez_"))
