"""What the pages in `docs/` show: blocks with `>>>` run, and so does the Lisp in `sheaf.md`."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest

from gradir.frontends.sheaf import Program
from gradir.frontends.sheaf.values import show

ROOT = Path(__file__).parent.parent
PAGES = sorted(p for p in (ROOT / "docs").glob("*.md") if ">>> " in p.read_text())


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_python(page: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    # A block is a test of its own: the fence after it is no output.
    blocks = re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL)
    tested = [block for block in blocks if ">>> " in block]
    assert tested
    for i, block in enumerate(tested):
        test = doctest.DocTestParser().get_doctest(block, {}, f"{page.name}[{i}]", str(page), 0)
        runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE)
        runner.run(test)
        assert runner.summarize(verbose=False).failed == 0


def test_sheaf() -> None:
    page = (ROOT / "docs" / "sheaf.md").read_text()
    blocks = re.findall(r"```lisp\n(.*?)```", page, re.DOTALL)
    assert blocks
    for block in blocks:
        code, _, wanted = block.partition(";=> ")
        value = Program().run(code)
        assert show(value) == wanted.strip()
