"""The pages: every block runs, every public name is in the reference, and the site builds.

A page is read from top to bottom, in a folder of its own. A block with a title is a file of that name. Python runs in
one namespace. Commands (`console`) are run, and print what stands below them. Options in `sh` blocks exist, and C and
MLIR are read by a compiler.
"""

from __future__ import annotations

import doctest
import importlib
import io
import os
import re
import shlex
import shutil
import subprocess
import sys
import zlib
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import jax.numpy as jnp
import numpy as np
import pytest

import gradir
from gradir.cli import _parser
from gradir.frontends.sheaf import Program
from gradir.frontends.sheaf.values import show

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
PAGES = [ROOT / "README.md", *sorted(DOCS.rglob("*.md"))]
FLAGS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
BLOCK = re.compile(r'^```(\w+)(?: title="([^"]+)")?\n(.*?)^```$', re.MULTILINE | re.DOTALL)
NEEDS = {"fortran": ("flang-new-19", "flang-new", "flang", "flang-19"), "rust": ("rustc",)}


def blocks(page: Path) -> Iterator[tuple[str, str, str]]:
    return ((lang, title, body) for lang, title, body in BLOCK.findall(page.read_text()))


TESTED = [page for page in PAGES if any(lang != "text" for lang, *_ in blocks(page))]


@pytest.mark.parametrize("page", TESTED, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    needed = NEEDS.get(page.stem, ())
    if needed and not any(map(shutil.which, needed)):
        pytest.skip(f"no {needed[0]}")
    if page.stem == "tensorflow":  # (it is not good company for other tests: see `tensorflow/conftest.py`)
        if not request.config.getoption("--every"):
            pytest.skip("run with --every, by itself")
        pytest.importorskip("tensorflow")
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}")
    names: dict[str, Any] = dict(given(page.stem))
    for i, (lang, title, body) in enumerate(blocks(page)):
        if title:
            Path(title).write_text(body)
        elif lang == "python":
            run_python(body, names, f"{page.name}[{i}]")
        elif lang == "console":
            run_commands(body)
        elif lang == "sh":
            check_options(body)
        elif lang == "lisp":
            code, _, wanted = body.partition(";=> ")
            assert show(Program().run(code)) == wanted.strip()
        elif lang == "mlir":
            gradir.load(body)
        else:
            assert lang == "text", f"nothing runs {lang}"


def run_python(body: str, names: dict[str, Any], where: str) -> None:
    if ">>> " not in body:
        with redirect_stdout(io.StringIO()):
            exec(compile(body, where, "exec"), names)  # what a page shows
        return
    test = doctest.DocTestParser().get_doctest(body, names, where, where, 0)
    said = io.StringIO()
    failed = doctest.DocTestRunner(verbose=False, optionflags=FLAGS).run(test, out=said.write, clear_globs=False).failed
    names.update(test.globs)
    assert not failed, said.getvalue()


def run_commands(body: str) -> None:
    for part in re.split(r"^\$ ", body, flags=re.MULTILINE)[1:]:
        command, _, wanted = part.partition("\n")
        done = subprocess.run(command, shell=True, capture_output=True, text=True, timeout=120)
        assert done.returncode == 0, f"{command}\n{done.stderr}"
        if wanted.strip() != "...":
            assert doctest.OutputChecker().check_output(wanted, done.stdout, FLAGS), f"{command}\n{done.stdout}"


def check_options(body: str) -> None:
    """The commands of gradir in some lines of shell are such that gradir takes: nothing is run."""
    for line in body.replace("\\\n", " ").splitlines():
        for command in re.split(r"&&|\|", line):
            words = shlex.split(command, comments=True)
            if words[:1] == ["gradir"] and len(words) > 1:
                _parser().parse_args(words[1:])


# -- what pages take for granted ---------------------------------------------------------------------------------------


def given(page: str) -> dict[str, Any]:
    """Files and names that a reader of a page has."""
    if page != "README":
        return {}
    Path("f.mlir").write_text(README_MLIR)
    Path("kernel.c").write_text("double energy(const double *x, int n, double k) { return k * x[0] * x[n - 1]; }")
    return {"f": jnp.sum, "x": np.ones(4, np.float32), "y": np.ones(4, np.float32), "z": np.ones(4, np.float32)}


README_MLIR = """func.func @f(%x: tensor<4xf32>, %y: tensor<4xf32>, %z: tensor<4xf32>) -> tensor<f32> {
  %xy = stablehlo.multiply %x, %y : tensor<4xf32>
  %r = stablehlo.dot_general %xy, %z, contracting_dims = [0] x [0] : (tensor<4xf32>, tensor<4xf32>) -> tensor<f32>
  return %r : tensor<f32>
}"""


# -- the site ----------------------------------------------------------------------------------------------------------

PUBLIC = ["gradir", *(f"gradir.{m}" for m in ("expressions", "jax", "scipy", "tensorflow", "torch", "train"))]


def names(module: str) -> list[str]:
    return [name for name in importlib.import_module(module).__all__ if not name.startswith("__")]


def paths(module: str, name: str) -> set[str]:
    """Where a name may stand in the reference: where it is public, or where it is defined."""
    home = getattr(getattr(importlib.import_module(module), name), "__module__", module)
    return {f"{module}.{name}", f"{home}.{name}"}


def test_the_site_builds_and_has_every_public_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "-q", "-d", str(tmp_path / "site")]
    done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, "NO_MKDOCS_2_WARNING": "1"})
    assert done.returncode == 0, done.stderr
    written = (tmp_path / "site" / "objects.inv").read_bytes().split(b"\n", 4)[4]
    documented = {line.split()[0] for line in zlib.decompress(written).decode().splitlines()}
    for module in PUBLIC:
        page = (DOCS / "reference" / f"{module.removeprefix('gradir.')}.md").read_text()
        known = {*documented, *PUBLIC, *(f"{module}.{name}" for name in re.findall(r"`(\w+)`", page))}
        assert [name for name in names(module) if not paths(module, name) & known] == []
    listed = {page for page in (ROOT / "mkdocs.yml").read_text().split() if page.endswith(".md")}
    assert listed == {str(page.relative_to(DOCS)) for page in DOCS.rglob("*.md")}
