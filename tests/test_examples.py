"""The programs in `examples/`, which the README names, run and agree with central differences."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = sorted((Path(__file__).parent.parent / "examples").glob("*.py"))
TOLERANCES = {"quickstart.py": 1e-3, "native.py": 1e-7}  # in single and in double precision


@pytest.mark.parametrize("example", EXAMPLES, ids=lambda path: path.name)
def test_example(example: Path):
    ran = subprocess.run([sys.executable, str(example)], capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr
    deviation = re.search(r"largest deviation from central differences: (\S+)", ran.stdout)
    assert deviation is not None and float(deviation[1]) < TOLERANCES[example.name]
