"""Changed LLVM IR with fixed seeds: right or refused, never wrong, never a crash. More by `fuzz/mutate.py`."""

from __future__ import annotations

from pathlib import Path

import pytest
from fuzz.mutate import BAD, outcomes

BATCH = 25


@pytest.mark.parametrize("batch", range(8))
def test_changed_programs(batch: int, tmp_path: Path) -> None:
    found = list(outcomes(range(BATCH * batch, BATCH * (batch + 1)), tmp_path))
    assert len(found) == BATCH
    bad = [o for o in found if o["outcome"] in BAD]
    assert not bad, "\n".join(f"{o['seed']} [{o['base']}: {o['names']}] {o['outcome']}: {o['why']}" for o in bad)
