"""Which function of NumPy's, or class of Numba's, a routine stands for: messages in the words of who uses Numba."""

from __future__ import annotations

__all__ = ["numpy_function"]

_FACTORISATIONS = "norm, det, inv, solve and cholesky have one; or call it outside of what is differentiated"
_LISTS = "append, pop, indices and loops have one; or use a list of Python's, which Numba compiles as well"

_FUNCTIONS = {
    "geqrf": "np.linalg.qr",
    "xxgqr": "np.linalg.qr",
    "gesdd": "np.linalg.svd, or what uses it (pinv, cond, matrix_rank, the norm of order 2)",
    "rgeev": "np.linalg.eig or eigvals",
    "cgeev": "np.linalg.eig or eigvals",
    "xxxevd": "np.linalg.eigh or eigvalsh",
    "gelsd": "np.linalg.lstsq",
}


def numpy_function(routine: str) -> tuple[str, str] | None:
    """What a user wrote who has this routine called, and what to write instead.

    >>> numpy_function("numba_ez_geqrf")[0], numpy_function("numba_list_delete_slice")[0], numpy_function("cos")
    ('np.linalg.qr', 'delete_slice of numba.typed.List', None)
    """
    if routine.startswith("numba_list_"):
        return f"{routine.removeprefix('numba_list_')} of numba.typed.List", _LISTS
    if routine.startswith("numba_dict_"):
        return "a dictionary", "use lists or arrays"
    written = _FUNCTIONS.get(routine.removeprefix("numba_").removeprefix("ez_"))
    return (written, _FACTORISATIONS) if written else None
