"""Pointers in the guise of integers, and several at once in vectors: programs in `programs/pointers`.

Each has an `f` of eight numbers. Its derivatives in both modes, for one direction and for two, are compared to central
differences, which are good to about 1e-10 for such polynomials (Richardson's step of 1e-3); 1e-7 is what a wrong sum
could never meet.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

import numpy as np
import pytest
from differential import Bench, Function, central_difference
from test_enzyme import compiler, needs_clang
from test_forward import interleaved_jvp

from gradir.errors import NoRule, OneDirection
from gradir.machine import ir, llvm
from gradir.machine.transform.derive import Layout, Options

FOLDER = Path(__file__).parent / "programs" / "pointers"
X = np.array([0.7, 1.3, 0.4, 2.1, 0.9, 1.7, 0.35, 1.1])
F = Function("f", (ir.PTR, ir.I64), (True, False), ir.DOUBLE)
PROGRAMS = sorted(p.name for p in FOLDER.iterdir())
REFUSED = {
    ("header.c", "-O0"): "in a way that has no shadow",  # a quotient of an address, multiplied again
}


def compiled(path: Path, flags: str, folder: Path) -> llvm.Module:
    out = folder / f"{path.stem}.ll"
    options = ["-fno-math-errno", "-fno-exceptions", *flags.split(), "-S", "-emit-llvm"]
    subprocess.run([*compiler("clang", path.name), *options, str(path), "-o", str(out)], check=True)
    return llvm.parse(out.read_text())


def check(source: llvm.Module, *, optimise: bool) -> None:
    bench = Bench(source, F, optimise=optimise)
    forward, reverse = bench.forward(F), bench.reverse(F)
    forward2, reverse2 = bench.forward(F, 2), bench.reverse(F, 2)
    bench.build(level=1)
    values = [X, len(X)]
    gradient = np.array(
        [central_difference(lambda h, e=e: bench.run(F, [X + h * e, len(X)])[-1:], 1e-3)[0] for e in np.eye(len(X))]
    )
    directions = [np.cos(np.arange(8.0)), np.sin(np.arange(8.0))]
    for derivative, count in ((forward, 1), (forward2, 2)):
        found = [d[-1] for d in bench.jvp(derivative, values, directions[:count])[1:]]
        np.testing.assert_allclose(found, [gradient @ d for d in directions[:count]], rtol=1e-7, atol=1e-8)
    seeds = [np.append(np.zeros(8), s) for s in (1.0, -0.5)]
    for derivative, count in ((reverse, 1), (reverse2, 2)):
        found = bench.vjp(derivative, values, seeds[:count])[1:]
        np.testing.assert_allclose(found, [gradient * s[-1] for s in seeds[:count]], rtol=1e-7, atol=1e-8)


@needs_clang
@pytest.mark.parametrize(
    ("name", "flags"),
    [(p, f) for p in PROGRAMS for f in ("-O0", "-O2") if f == "-O2" or p.endswith((".c", "members.cpp"))],
)
def test_pointers(name: str, flags: str, tmp_path: Path) -> None:
    source = compiled(FOLDER / name, flags, tmp_path)
    if (name, flags) in REFUSED:
        for derive in (Bench.forward, Bench.reverse):
            with pytest.raises(NoRule, match=REFUSED[name, flags]):
                derive(Bench(source, F, optimise=flags != "-O0"), F)
        return
    check(source, optimise=flags != "-O0")


@needs_clang
@pytest.mark.parametrize("name", ["tag.c", "align.c", "arena.c", "diff.c", "rebase.c", "spans.cpp"])
def test_interleaved_shadows(name: str, tmp_path: Path) -> None:
    """Offsets in interleaved shadows are larger: so are tags and distances."""
    source = compiled(FOLDER / name, "-O2", tmp_path)
    bench = Bench(source, F)
    reverse = bench.reverse(F)
    bench.build(level=1)
    [_, gradient] = bench.vjp(reverse, [X, 8], [np.append(np.zeros(8), 1.0)])
    along = [np.cos(np.arange(8.0)), np.sin(np.arange(8.0))]
    found = [tangent[-1] for tangent in interleaved_jvp(Bench(source, F).program, F, [X, 8], along)]
    np.testing.assert_allclose(found, [gradient @ d for d in along], rtol=1e-12)


@needs_clang
def test_packed_addresses_have_no_interleaved_shadow(tmp_path: Path) -> None:
    bench = Bench(compiled(FOLDER / "shift.c", "-O2", tmp_path), F, options=Options(layout=Layout.interleaved))
    with pytest.raises(OneDirection, match="interleaved"):
        bench.reverse(F, 2)
