"""Code in the shapes that optimisers give it, through `gradir opt`, and what is refused there."""

from __future__ import annotations

from pathlib import Path

import pytest
from test_enzyme import check, compiler, needs_clang, run

from gradir.cli import main

REORDERED = "-fno-math-errno -fassociative-math -fno-signed-zeros -fno-trapping-math -DNO_STRUCTS"
"""Sums in any order are vectorised. Structs of floats and integers are then loaded as vectors of both: refused."""


@needs_clang
@pytest.mark.parametrize("flags", ["-O0", "-O2", f"-O3 -march=native {REORDERED}"])
def test_shapes(flags: str, tmp_path: Path) -> None:
    check("shapes.c", "clang", flags.split(), ".ll", "clang", tmp_path)


@needs_clang
def test_bits_that_become_another_float_are_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "quick.c").write_text(
        """
        #include <string.h>
        double __enzyme_autodiff(void *, ...);
        static float quick(float x) {
          int bits;
          memcpy(&bits, &x, 4);
          bits = bits * 3;
          float y;
          memcpy(&y, &bits, 4);
          return y * (1.5f - 0.5f * x * y * y);
        }
        float f(float x) { return quick(x); }
        float __enzyme_autodiff_f(void *, ...);
        int main(void) { return __enzyme_autodiff_f((void *)f, 2.0f) > 0; }
        """
    )
    module = tmp_path / "quick.ll"
    run([*compiler("clang", "quick.c"), "-g", "-O1", "-S", "-emit-llvm", str(tmp_path / "quick.c"), "-o", str(module)])
    assert main(["opt", str(module), "-o", str(tmp_path / "out.ll")]) != 0
    message = capsys.readouterr().err
    assert "bits of an active float" in message
    assert "quick.c:" in message
    assert "way out" in message
