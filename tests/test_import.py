"""`import gradir` is cheap: it brings in nothing heavy, and every public name is there when asked for."""

import os
import subprocess
import sys

import pytest

import gradir


def python(code: str) -> str:
    return subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True).stdout.strip()


def test_import_brings_in_nothing_heavy():
    heavy = "numpy", "jax", "jaxlib", "llvmlite", "ml_dtypes", "argparse"
    assert python(f"import sys, gradir; print([m for m in {heavy!r} if m in sys.modules])") == "[]"


@pytest.mark.parametrize("module", ["gradir.scipy", "gradir.jax", "gradir.expressions"])
def test_libraries_log_nothing(module: str):
    code = f"import {module}, jax.numpy as jnp; print(jnp.ones(2).sum())"
    env = {k: v for k, v in os.environ.items() if k != "TF_CPP_MIN_LOG_LEVEL"}
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, text=True, env=env)
    assert (done.stdout, done.stderr) == ("2.0\n", "")


@pytest.mark.parametrize("name", [name for name in gradir.__all__ if name != "jax"])
def test_public_names_exist(name: str):
    assert getattr(gradir, name) is not None
    assert name in dir(gradir)


def test_unknown_name():
    with pytest.raises(AttributeError, match="no attribute 'nonsense'"):
        gradir.nonsense
