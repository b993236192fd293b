"""`docs/machine-rules.md` says what the table of rules holds."""

from __future__ import annotations

from make_rules_page import PAGE, page

from gradir.machine.rules import RULES


def test_the_page_is_up_to_date() -> None:
    assert PAGE.read_text() == page(), "run: python tests/machine/make_rules_page.py"


def test_every_rule_is_on_the_page() -> None:
    written = PAGE.read_text()
    plain = [name for name in RULES if "constrained" not in name]
    assert not [name for name in plain if f"`{name}`" not in written]
