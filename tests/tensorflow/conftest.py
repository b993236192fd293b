"""TensorFlow brings an unwinder along that ends the process of C++ code that throws: its tests are run by themselves,
`./test tests/tensorflow`."""

from __future__ import annotations

from pathlib import Path

import pytest


def pytest_ignore_collect(collection_path: Path, config: pytest.Config) -> bool | None:
    return None if any("tensorflow" in argument for argument in config.args) else True
