"""PTX of kernels and their derivatives: what LLVM writes, and what CUDA's assembler says of it where there is one."""

from __future__ import annotations

import shutil
import subprocess
from glob import glob
from pathlib import Path

import pytest

import gradir
from gradir.cli import main
from gradir.frontends.cuda.make_emulator import MADE, fingerprint

SOURCE = """
__global__ void f(const float *x, float *y, int n) {
  __shared__ float s[64];
  s[threadIdx.x] = x[threadIdx.x];
  __syncthreads();
  float v = s[63 - threadIdx.x];
  for (int i = 0; i < n; i++) v = v * v + s[threadIdx.x];
  y[threadIdx.x] = v;
}
"""


def _assembler() -> str | None:
    return shutil.which("ptxas") or next(iter(sorted(glob("/usr/local/cuda*/bin/ptxas"))), None)


@pytest.mark.parametrize("kind", ["primal", "vjp", "jvp"])
def test_ptx_is_assembled(kind: str, tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(SOURCE)
    k = gradir.load(tmp_path / "f.cu")
    made = {"primal": k["f"], "vjp": k.vjp("f"), "jvp": k.jvp("f")}[kind]
    text = made.ptx()
    assert f".entry {made.symbol}(" in text and "bar.sync" in text
    assert text.count(".shared .align") == (1 if kind == "primal" else 2)  # shadows of shared memory are shared
    assert ("gradir_tape" in text) == (kind == "vjp")
    assert ", debug" not in text
    if (assembler := _assembler()) is not None:
        (tmp_path / "f.ptx").write_text(text)
        command = [assembler, "-arch=sm_80", str(tmp_path / "f.ptx"), "-o", str(tmp_path / "f.cubin")]
        assert subprocess.run(command, capture_output=True, check=False).stderr == b""


def test_the_emulator_is_made_from_its_source() -> None:
    assert fingerprint() in MADE.read_text().splitlines()[0]


def test_what_was_saved_is_loaded(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(SOURCE)
    k = gradir.load(tmp_path / "f.cu")
    k.save(tmp_path / "f.ll")
    again = gradir.load(tmp_path / "f.ll")
    assert str(again) == str(k)
    assert again.vjp("f").ptx() == k.vjp("f").ptx()


def test_the_command_writes_a_listing(tmp_path: Path) -> None:
    (tmp_path / "f.cu").write_text(SOURCE)
    command = ["diff", str(tmp_path / "f.cu"), "--fn", "f", "--wrt", "x,y", "-o", str(tmp_path / "f.ptx")]
    assert not main(command)
    text = (tmp_path / "f.ptx").read_text()
    assert text.startswith("// vjp_") and "//   dx: float *" in text and "gradir_tape is set before a launch" in text
