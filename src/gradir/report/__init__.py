"""A derivative to look at: one page with the source beside it, what it costs, and how it came about."""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cached_property
from html import escape

from gradir.files import write_file
from gradir.report.model import Model
from gradir.report.page import page

__all__ = ["Report"]


@dataclass(frozen=True)
class Report:
    """What `Module.report` gives: a page to save, or to see in a notebook. `model` holds what it shows."""

    model: Model

    @cached_property
    def html(self) -> str:
        """The page: one file that needs no other, and no network."""
        return page(self.model)

    def save(self, path: str | os.PathLike[str]) -> None:
        write_file(path, self.html.encode())

    def _repr_html_(self) -> str:
        """In a frame of its own, so that neither the notebook's styles nor the page's reach the other."""
        frame = "width:100%;height:85vh;border:0;border-radius:8px"
        return f'<iframe title="{escape(self.model.derivative)}" style="{frame}" srcdoc="{escape(self.html)}"></iframe>'

    def __str__(self) -> str:
        figures = [f"  {f.name:16}{f.value:>12}   {f.about}" for f in self.model.figures]
        return "\n".join([f"{self.model.derivative}: {self.model.derived_signature}", *figures, *self.model.notes])

    def __repr__(self) -> str:
        return f"<gradir.Report of {self.model.derivative}: {len(self.model.lines)} lines>"
