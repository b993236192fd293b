"""Writes a report as one HTML page, which needs no other file and no network.

All is there without scripts: lines link to each other, graphs are drawn. `page.js` adds marking and zooming.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from html import escape
from importlib.resources import files
from pathlib import PurePath

from gradir.report import text as say
from gradir.report.layout import HEAD, PAD, Box, Drawing, draw
from gradir.report.model import Cost, Derived, Edge, Graph, Model, Place, Role, Rule, Source, SourceLine, Table
from gradir.version import __version__

__all__ = ["page"]

LINKS_SHOWN = 12
"""Of a rule: the lines where it fired."""
SIGNS = {Role.primal: "·", Role.partial: "∂", Role.again: "↻", Role.kept: "▪"}


def page(model: Model) -> str:
    """The whole page."""
    return "\n".join(
        [
            "<!doctype html>",
            '<html lang="en">',
            "<head>",
            '<meta charset="utf-8">',
            '<meta name="viewport" content="width=device-width, initial-scale=1">',
            '<meta name="color-scheme" content="light dark">',
            f"<title>{escape(model.derivative)} · gradir</title>",
            f"<style>{_asset('page.css')}</style>",
            "</head>",
            "<body>",
            *_header(model),
            "<main>",
            *_code_section(model),
            *_cost_section(model.tables),
            *_rules_section(model),
            *_graph_section(model),
            "</main>",
            f'<footer>gradir {escape(__version__)}</footer><p id="said" class="unseen" role="status"></p>',
            f"<script>{_asset('page.js')}</script>",
            "</body>",
            "</html>",
            "",
        ]
    )


@cache
def _asset(name: str) -> str:
    return files("gradir.report").joinpath(name).read_text(encoding="utf-8")


# -- head --------------------------------------------------------------------------------------------------------------


def _header(model: Model) -> Iterator[str]:
    yield "<header>"
    way = "reverse mode" if model.mode == "reverse" else "forward mode"
    yield f'<p class="kicker">Derivative of <code>{escape(model.function)}</code>, {way}</p>'
    yield f"<h1>{escape(model.derivative)}</h1>"
    yield '<dl class="signatures">'
    for name, signature in (("function", model.signature), ("derivative", model.derived_signature)):
        yield f"<div><dt>{name}</dt><dd><code>{escape(signature)}</code></dd></div>"
    yield "</dl>"
    if model.figures:
        yield '<dl class="figures">'
        for f in model.figures:
            about = f'<dd class="about">{escape(f.about)}</dd>' if f.about else ""
            yield f"<div><dt>{escape(f.name)}</dt><dd>{escape(f.value)}</dd>{about}</div>"
        yield "</dl>"
    if model.notes:
        yield '<ul class="notes">'
        yield from (f"<li>{escape(note)}</li>" for note in model.notes)
        yield "</ul>"
    yield "</header>"


# -- source and derivative ---------------------------------------------------------------------------------------------


def _code_section(model: Model) -> Iterator[str]:
    yield '<section id="code" aria-labelledby="code-title">'
    yield '<div class="head"><h2 id="code-title">Source and derivative</h2>'
    yield '<ul class="legend" aria-label="Legend">'
    yield from _legend(model)
    yield "</ul></div>"
    yield '<p class="hint">Choose a line to mark what belongs to it on the other side. '
    yield "Arrow keys go from line to line, Escape clears.</p>"
    alone = "" if model.sources else " alone"
    yield f'<div class="panes{alone}">'
    if model.sources:
        columns = _Columns.of([line for source in model.sources for line in source.lines])
        yield '<div class="pane" id="source" role="region" aria-label="Source" tabindex="-1">'
        for number, source in enumerate(model.sources):
            yield from _source(number, source, columns)
        yield "</div>"
    yield '<div class="pane" id="derivative" role="region" aria-label="Derivative" tabindex="-1">'
    columns = _Columns.of(model.lines)
    yield _heading(model.derivative, model.derivative, model.language, columns)
    yield '<ol class="lines">'
    first = {p: _id(p) for source in range(len(model.sources)) for p in _shown(source, model.sources[source])}
    for line in model.lines:
        yield _derived(line, model, columns, first)
    yield "</ol></div></div></section>"


@dataclass(frozen=True)
class _Columns:
    """The numbers beside the lines of a pane."""

    most: Cost
    has_kept: bool

    @staticmethod
    def of(lines: Sequence[SourceLine | Derived]) -> _Columns:
        most = Cost(max((x.cost.operations for x in lines), default=0), max((x.cost.bytes for x in lines), default=0))
        return _Columns(most, any(x.kept for x in lines))

    @property
    def key(self) -> str:
        kept = '<i class="key-kept">kept</i>' if self.has_kept else ""
        return f'<span class="heads"><i class="key-ops">ops</i><i class="key-mem">bytes</i>{kept}</span>'

    def cells(self, line: SourceLine | Derived, about: str) -> str:
        cost = line.cost
        made = [
            _bar("ops", cost.operations, self.most.operations, say.number(cost.operations)),
            _bar("mem", cost.bytes, self.most.bytes, say.bytes(cost.bytes)),
        ]
        if self.has_kept:
            made.append(f'<i class="held" title="kept">{say.bytes(line.kept) if line.kept else ""}</i>')
        about = f' title="{escape(about)}"' if cost != Cost() else ""
        return f'<span class="bars"{about}>{"".join(made)}</span>'


def _heading(name: str, whole: str, about: str, columns: _Columns) -> str:
    title = f'<span title="{escape(whole)}">{escape(name)}</span>'
    return f'<h3 class="file">{title}<small>{escape(about)}</small>{columns.key}</h3>'


def _shown(number: int, source: Source) -> Iterator[Place]:
    return (Place(number, line.number) for line in source.lines)


def _legend(model: Model) -> Iterator[str]:
    if any(line.is_active for source in model.sources for line in source.lines):
        yield '<li><b class="sign active">●</b>active</li>'
    used = {line.role for line in model.lines}
    for role, name in model.roles.items():
        if role in used:
            yield f'<li class="{role.value}"><b class="sign">{_sign(role, model.mode)}</b>{escape(name)}</li>'


def _sign(role: Role, mode: str) -> str:
    return SIGNS.get(role, "◂" if mode == "reverse" else "▸")


def _source(number: int, source: Source, columns: _Columns) -> Iterator[str]:
    size = f"{source.language}, {source.total} lines"
    yield _heading(PurePath(source.name).name, source.name, size, columns)
    yield '<ol class="lines">'
    previous = 0
    for line in source.lines:
        if line.number > previous + 1:
            yield f'<li class="gap">{line.number - previous - 1} lines</li>'
        previous = line.number
        yield _source_line(number, line, source.language, columns)
    if previous < source.total:
        yield f'<li class="gap">{source.total - previous} lines</li>'
    yield "</ol>"


def _source_line(file: int, line: SourceLine, language: str, columns: _Columns) -> str:
    number = str(line.number)
    target = ""
    if line.derived:
        number = f'<a href="#D{line.derived[0]}">{line.number}</a>'
        target = f' data-d="{" ".join(map(str, line.derived))}"'
    marks = '<b class="sign active" title="active">●</b>' if line.is_active else '<b class="sign"></b>'
    marks += '<b class="sign again" title="recomputed">↻</b>' if line.is_recomputed else '<b class="sign"></b>'
    about = (
        f"derivative: {say.number(line.cost.operations)} operations, {say.bytes(line.cost.bytes)}; "
        f"primal: {say.number(line.primal.operations)}, {say.bytes(line.primal.bytes)}"
    )
    return (
        f'<li id="{_id(Place(file, line.number))}"{target}><span class="no">{number}</span>{marks}'
        f"{columns.cells(line, about)}<code>{_highlighted(line.text, language)}</code></li>"
    )


def _derived(line: Derived, model: Model, columns: _Columns, shown: dict[Place, str]) -> str:
    number, target = str(line.number), ""
    places = [shown[p] for p in line.places if p in shown]
    if places:
        number = f'<a href="#{places[0]}">{line.number}</a>'
        target = f' data-s="{" ".join(places)}"'
    role = f' class="{line.role.value}"' if line.role else ""
    name = model.roles.get(line.role, "") if line.role else ""
    sign = _sign(line.role, model.mode) if line.role else ""
    about = f"{say.number(line.cost.operations)} operations, {say.bytes(line.cost.bytes)}"
    return (
        f'<li id="D{line.number}"{role}{target}><span class="no">{number}</span>'
        f'<b class="sign" title="{escape(name)}">{sign}</b>{columns.cells(line, about)}'
        f"<code>{_highlighted(line.text, model.language)}</code></li>"
    )


def _id(place: Place) -> str:
    return f"L{place.line}" if place.file == 0 else f"F{place.file}L{place.line}"


def _bar(kind: str, value: float, most: float, shown: str) -> str:
    """A number on a bar, as long as its part of the largest."""
    if value <= 0 or not most:
        return f"<i>{shown}</i>" if value else "<i></i>"
    return f'<i class="{kind}" style="--w:{100 * value / most:.3g}%">{shown}</i>'


_WORDS = {
    "C": "break case const continue default do double else float for if int long return sizeof static struct switch "
    "typedef unsigned void while char",
    "C++": "auto break case class const constexpr continue default do double else float for if int long namespace "
    "return static struct switch template typename unsigned using void while char bool",
    "Fortran": "call do else end endif enddo function if implicit integer intent module none real result return "
    "subroutine then use while program contains",
    "Rust": "const else extern fn for if impl in let loop match mod mut pub return struct unsafe use while",
    "Python": "as assert class def del elif else except for from if import in is lambda not or and pass raise return "
    "try while with yield",
}
_COMMENTS = {"C": "//.*|/\\*.*?\\*/", "C++": "//.*|/\\*.*?\\*/", "Rust": "//.*", "Fortran": "!.*", "Python": "#.*",
             "MLIR": "//.*", "LLVM IR": ";.*", "Sheaf": ";.*"}  # fmt: skip
_STRONG = {
    "MLIR": r"(?:stablehlo|chlo|func|enzyme)\.[\w.]+|\breturn\b",
    "LLVM IR": r"(?<== )(?:tail call|[a-z]+)\b|^\s+(?:store|br|ret|call|tail call|switch)\b",
}
_FAINT = {"MLIR": r" : .*$", "LLVM IR": r", align \d+|, ![a-z.]+ ![\d{}]+"}


@cache
def _pattern(language: str) -> re.Pattern[str] | None:
    strong = _STRONG.get(language) or "|".join(rf"\b{word}\b" for word in _WORDS.get(language, "").split())
    comment = _COMMENTS.get(language, "")
    parts = [("em", _FAINT.get(language, "")), ("em", comment), ("b", strong)]
    named = [f"(?P<{tag}{k}>{pattern})" for k, (tag, pattern) in enumerate(parts) if pattern]
    flags = re.IGNORECASE if language == "Fortran" else 0
    return re.compile("|".join(named), flags) if named else None


def _highlighted(code: str, language: str) -> str:
    """A line of code as HTML, with what matters most and least marked as such.

    >>> _highlighted("x < 1 // less", "C")
    'x &lt; 1 <em>// less</em>'
    """
    pattern = _pattern(language)
    if pattern is None:
        return escape(code, quote=False)
    made, at = [], 0
    for match in pattern.finditer(code):
        tag = (match.lastgroup or "b").rstrip("0123456789")
        made += [escape(code[at : match.start()], quote=False), f"<{tag}>{escape(match[0], quote=False)}</{tag}>"]
        at = match.end()
    return "".join([*made, escape(code[at:], quote=False)])


# -- costs and rules ---------------------------------------------------------------------------------------------------


def _cost_section(tables: Sequence[Table]) -> Iterator[str]:
    if not tables:
        return
    yield '<section id="cost" aria-label="Cost">'
    for table in tables:
        yield f'<div class="card"><h2>{escape(table.title)}</h2><div class="scroll"><table><thead><tr>'
        yield "".join(f'<th scope="col">{escape(c)}</th>' for c in table.columns)
        yield "</tr></thead><tbody>"
        for first, *rest in table.rows:
            cells = "".join(f"<td>{escape(cell)}</td>" for cell in rest)
            yield f'<tr><th scope="row">{escape(first)}</th>{cells}</tr>'
        yield "</tbody></table></div>"
        yield f'<p class="hint">{escape(table.note)}</p></div>' if table.note else "</div>"
    yield "</section>"


def _rules_section(model: Model) -> Iterator[str]:
    if not model.rules:
        return
    shown = {p: _id(p) for k, source in enumerate(model.sources) for p in _shown(k, source)}
    yield '<section id="rules" class="card" aria-labelledby="rules-title">'
    yield f'<h2 id="rules-title">{escape(model.rules_title)} <small>{len(model.rules)}</small></h2>'
    yield '<div class="scroll tall"><table><thead><tr><th scope="col">rule</th>'
    yield f'<th scope="col" class="text">what it does</th><th scope="col">{escape(model.rules_count)}</th>'
    yield '<th scope="col">ops saved</th><th scope="col">bytes saved</th>'
    located = any(rule.places for rule in model.rules)
    yield '<th scope="col" class="text">lines</th>' if located else ""
    yield "</tr></thead><tbody>"
    most = Cost(
        max((abs(r.saved.operations) for r in model.rules), default=0),
        max((abs(r.saved.bytes) for r in model.rules), default=0),
    )
    for rule in model.rules:
        yield _rule(rule, most, shown, located)
    yield "</tbody></table></div>"
    yield f'<p class="hint">{escape(model.rules_note)}</p></section>'


def _rule(rule: Rule, most: Cost, shown: dict[Place, str], located: bool) -> str:
    places = [p for p in rule.places if p in shown]
    links = " ".join(f'<a href="#{shown[p]}">{p.line}</a>' for p in places[:LINKS_SHOWN])
    links += " …" if len(places) > LINKS_SHOWN else ""
    saved = rule.saved
    bars = [
        _bar("ops", saved.operations, most.operations, say.number(saved.operations)),
        _bar("mem", saved.bytes, most.bytes, say.bytes(saved.bytes)),
    ]
    return (
        f'<tr><th scope="row"><code>{escape(rule.name)}</code><small>{escape(rule.family)}</small></th>'
        f'<td class="text"><code>{escape(rule.formula)}</code></td><td>{rule.times:,}</td>'
        f"<td>{bars[0]}</td><td>{bars[1]}</td>" + (f'<td class="text">{links}</td></tr>' if located else "</tr>")
    )


# -- graphs ------------------------------------------------------------------------------------------------------------


def _graph_section(model: Model) -> Iterator[str]:
    if not model.graphs:
        return
    yield '<section id="graphs" class="card" aria-labelledby="graphs-title"><div class="head">'
    yield '<h2 id="graphs-title">' + escape(model.graph_title) + "</h2></div>"
    last = len(model.graphs) - 1
    for k, graph in enumerate(model.graphs):
        checked = " checked" if k == last else ""
        yield f'<input type="radio" name="graph" id="graph{k}"{checked}>'
        yield f'<label for="graph{k}">{escape(graph.title)} <small>{graph.count:,}</small></label>'
    yield '<span class="zoom" hidden><button type="button" data-zoom="in" aria-label="Zoom in">+</button>'
    yield '<button type="button" data-zoom="out" aria-label="Zoom out">−</button>'
    yield '<button type="button" data-zoom="fit">Fit</button></span>'
    for k, graph in enumerate(model.graphs):
        shown = {p: _id(p) for n, source in enumerate(model.sources) for p in _shown(n, source)}
        drawing = draw(graph)
        height = f"--h:{drawing.height + 2 * PAD:.0f}px"
        yield f'<div class="graph" id="graph{k}-view" style="{height}">{"".join(_svg(graph, drawing, shown))}</div>'
    if any(g.note for g in model.graphs):
        yield f'<p class="hint">{escape(next(g.note for g in model.graphs if g.note))}</p>'
    turn = " Cotangents run up the right side." if any(g.runs_up for g in model.graphs) else ""
    yield f'<p class="hint">Drag to move, Ctrl and the wheel (or + and −) to zoom.{turn}</p></section>'


def _svg(graph: Graph, drawing: Drawing, shown: dict[Place, str]) -> Iterator[str]:
    width, height = drawing.width + 2 * PAD, drawing.height + 2 * PAD
    yield f'<svg viewBox="{-PAD} {-PAD} {width:.0f} {height:.0f}" data-size="{width:.0f} {height:.0f}" role="img" '
    yield f'aria-label="{escape(graph.title)}: {graph.count} nodes" tabindex="0">'
    yield from _drawn(drawing, 0, 0, shown)
    yield "</svg>"


def _drawn(drawing: Drawing, x: float, y: float, shown: dict[Place, str]) -> Iterator[str]:
    for kept in (False, True):
        paths = "".join(_edge(e, drawing.boxes, x, y) for e in drawing.edges if e.is_kept is kept)
        if paths:
            yield f'<path class="{"keeps" if kept else "e"}" d="{paths}"/>'
    for box in drawing.boxes:
        yield from _box(box, x, y, shown)


def _edge(edge: Edge, boxes: Sequence[Box], x: float, y: float) -> str:
    a, b = boxes[edge.source], boxes[edge.target]
    if b.y >= a.y + a.height or b.y + b.height <= a.y:
        down = b.y > a.y
        x1, x2 = a.x + a.width / 2, b.x + b.width / 2
        y1, y2 = (a.y + a.height, b.y) if down else (a.y, b.y + b.height)
        middle = (y1 + y2) / 2
        points = (x1, y1, x1, middle, x2, middle, x2, y2)
    else:
        right = b.x > a.x
        x1, x2 = (a.x + a.width, b.x) if right else (a.x, b.x + b.width)
        y1, y2 = a.y + a.height / 2, b.y + b.height / 2
        points = (x1, y1, (x1 + x2) / 2, y1, (x1 + x2) / 2, y2, x2, y2)
    moved = [round(p + (y if k % 2 else x)) for k, p in enumerate(points)]
    return "M{} {}C{} {} {} {} {} {}".format(*moved)


def _box(box: Box, x: float, y: float, shown: dict[Place, str]) -> Iterator[str]:
    node, left, top = box.node, x + box.x, y + box.y
    classes = " ".join(filter(None, ["n", node.role.value if node.role else "", "end" if node.is_end else ""]))
    places = [shown[p] for p in node.places if p in shown]
    linked = f' data-s="{" ".join(places)}"' if places else ""
    yield f'<g class="{classes}"{linked}><rect x="{left:.0f}" y="{top:.0f}" width="{box.width:.0f}" '
    yield f'height="{box.height:.0f}" rx="{12 if node.is_end else 5}"/>'
    middle = top + (HEAD if box.inside else box.height) / 2 + 4
    yield f'<text x="{left + box.width / 2:.0f}" y="{middle:.0f}">{escape(node.label)}</text>'
    if node.about:
        yield f"<title>{escape(node.about)}</title>"
    yield "</g>"
    if box.inside is not None:
        inset = (box.width - box.inside.width) / 2
        yield from _drawn(box.inside, left + inset, top + HEAD, shown)
