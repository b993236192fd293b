"""Examples in docstrings, as code: a paragraph that begins with `>>>` is put into a fence for the site."""

from __future__ import annotations

from typing import Any

import griffe


class Doctests(griffe.Extension):
    def on_object(self, *, obj: griffe.Object, **_: Any) -> None:
        if obj.docstring is not None:
            paragraphs = obj.docstring.value.split("\n\n")
            obj.docstring.value = "\n\n".join(map(fenced, paragraphs))


def fenced(paragraph: str) -> str:
    return f"```pycon\n{paragraph}\n```" if paragraph.lstrip().startswith(">>>") else paragraph
