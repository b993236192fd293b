"""The page of a report: in a browser, and as text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from importlib.resources import files
from pathlib import Path

import pytest
from browser import CHROMIUM, Browser

import gradir
from gradir.cli import main
from gradir.report import Report
from gradir.report.layout import draw
from gradir.report.model import Edge, Graph, Node, Role

PROGRAM = """\
// <script>document.title = "owned"</script> & "quoted" <b>not bold</b>
func.func @f(%x: tensor<4x3xf32>, %w: tensor<3x2xf32>) -> tensor<f32> {
  %xw = stablehlo.dot_general %x, %w, contracting_dims = [1] x [0] : (tensor<4x3xf32>, tensor<3x2xf32>) -> tensor<4x2xf32>
  %y = stablehlo.tanh %xw : tensor<4x2xf32>
  %zero = stablehlo.constant dense<0.0> : tensor<f32>
  %sum = stablehlo.reduce(%y init: %zero) applies stablehlo.add across dimensions = [0, 1] : (tensor<4x2xf32>, tensor<f32>) -> tensor<f32>
  return %sum : tensor<f32>
}
"""  # noqa: E501
PRODUCT = 3
"""The line of the product."""


@pytest.fixture(scope="module")
def source(written: Callable[[str, str], Path]) -> Path:
    return written("f <&>.mlir", PROGRAM)


@pytest.fixture(scope="module")
def report(source: Path) -> Report:
    return gradir.load(source).report("f", wrt=(0, 1))


@pytest.fixture(scope="module")
def page(report: Report, source: Path) -> Path:
    path = source.with_suffix(".html")
    report.save(path)
    return path


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    if CHROMIUM is None:
        pytest.skip("no Chromium")
    with Browser() as browser:
        yield browser


def marked(browser: Browser, pane: str) -> list[str]:
    return browser.run(f"[...document.querySelectorAll('#{pane} li.on')].map(e => e.id)")


# -- in the browser


def test_a_click_on_a_source_line_marks_its_derivative_lines(browser: Browser, page: Path, report: Report) -> None:
    browser.open(page)
    browser.click(f"#L{PRODUCT} code")
    [line] = [line for line in report.model.sources[0].lines if line.number == PRODUCT]
    assert len(line.derived) == 3
    assert marked(browser, "derivative") == [f"D{n}" for n in line.derived]
    assert marked(browser, "source") == [f"L{PRODUCT}"]
    assert browser.run("document.querySelectorAll('.graph g.on').length") > 0
    assert browser.run("location.hash") == f"#L{PRODUCT}"
    assert browser.run("document.getElementById('said').textContent") == "1 lines of the source, 3 of the derivative"
    assert not browser.errors


def test_a_click_on_a_derivative_line_marks_its_source_line(browser: Browser, page: Path, report: Report) -> None:
    browser.open(page)
    last = [line for line in report.model.lines if "dot_general" in line.text][-1]
    browser.click(f"#D{last.number} code")
    assert marked(browser, "source") == [f"L{PRODUCT}"]
    assert f"D{last.number}" in marked(browser, "derivative")
    browser.click("#L4 code")  # another choice takes the place of the first
    assert marked(browser, "source") == ["L4"]


def test_keys(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.run(f"document.querySelector('#L{PRODUCT} a').focus()")
    browser.key("ArrowDown")
    assert marked(browser, "source") == ["L4"]
    browser.key("ArrowUp")
    assert marked(browser, "source") == [f"L{PRODUCT}"]
    browser.key("Escape")
    assert marked(browser, "source") == [] and browser.run("location.hash") == ""


def test_an_address_chooses_a_line(browser: Browser, page: Path) -> None:
    browser.open(page, f"#L{PRODUCT}")
    assert marked(browser, "source") == [f"L{PRODUCT}"] and len(marked(browser, "derivative")) == 3


def test_graphs_can_be_changed_zoomed_and_moved(browser: Browser, page: Path) -> None:
    browser.open(page)
    shown = "[...document.querySelectorAll('.graph')].filter(g => g.getBoundingClientRect().width > 0).map(g => g.id)"
    assert browser.run(shown) == ["graph1-view"]
    view = "document.querySelector('#graph1-view svg').getAttribute('viewBox').split(' ').map(Number)"
    before = browser.run(view)
    browser.click("[data-zoom=in]")
    closer = browser.run(view)
    assert closer[2] < before[2] and closer[3] < before[3]
    browser.run("document.querySelector('#graph1-view svg').focus()")
    browser.key("ArrowRight")
    assert browser.run(view)[0] > closer[0]
    browser.click("label[for=graph0]")
    assert browser.run(shown) == ["graph0-view"]


def test_a_click_on_a_node_marks_its_lines(browser: Browser, page: Path) -> None:
    browser.open(page)
    browser.click(f"#graph1-view g[data-s=L{PRODUCT}] rect")
    assert marked(browser, "source") == [f"L{PRODUCT}"] and len(marked(browser, "derivative")) == 3


def test_sources_are_shown_as_text(browser: Browser, page: Path) -> None:
    """What looks like HTML in a program or in the name of its file is none."""
    browser.open(page)
    assert browser.run("document.title") == "vjp_f · gradir"
    assert browser.run("document.scripts.length") == 1
    texts = browser.run("[...document.querySelectorAll('#source li code')].map(e => e.textContent)")
    assert texts == PROGRAM.splitlines()
    assert browser.run("document.querySelector('#source h3 span').textContent") == "f <&>.mlir"


def test_nothing_is_asked_of_the_network(browser: Browser, page: Path) -> None:
    browser.open(page)
    assert browser.network == []
    assert not browser.errors


def test_it_can_be_read_without_scripts(browser: Browser, page: Path) -> None:
    browser.open(page, f"#L{PRODUCT}", scripts=False)
    target = browser._send("DOM.getDocument")["root"]["nodeId"]
    linked = browser._send("DOM.querySelector", nodeId=target, selector=f"#L{PRODUCT} a")["nodeId"]
    attributes = browser._send("DOM.getAttributes", nodeId=linked)["attributes"]
    assert attributes[0] == "href" and re.fullmatch(r"#D\d+", attributes[1])


@pytest.mark.parametrize("dark", [False, True])
def test_it_fits_the_window(browser: Browser, page: Path, dark: bool) -> None:
    browser.open(page, dark=dark)
    assert browser.run("document.documentElement.scrollWidth <= document.documentElement.clientWidth")
    paper = browser.run("getComputedStyle(document.documentElement).backgroundColor")
    light = sum(map(int, re.findall(r"\d+", paper)[:3])) > 3 * 128
    assert light is not dark


def test_the_text_of_all_lines_begins_in_one_column(browser: Browser, page: Path) -> None:
    """(Lines that keep something stood out to the left.)"""
    browser.open(page)
    for pane in "LD":
        left = f"[...document.querySelectorAll('li[id^={pane}] code')].map(e => e.getBoundingClientRect().left)"
        assert browser.run(f"document.querySelectorAll('li[id^={pane}] .held:not(:empty)').length") > 0
        assert len(set(browser.run(left))) == 1


# -- as text


def luminance(colour: str) -> float:
    digits = colour.lstrip("#")
    digits = "".join(2 * d for d in digits) if len(digits) == 3 else digits
    parts = [int(digits[k : k + 2], 16) / 255 for k in (0, 2, 4)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(a: str, b: str) -> float:
    lighter, darker = sorted((luminance(a), luminance(b)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def test_text_has_contrast_in_light_and_dark() -> None:
    """The 4.5 to 1 that WCAG asks of text, on every ground that it stands on."""
    css = files("gradir.report").joinpath("page.css").read_text()
    schemes = [dict(re.findall(r"--([\w-]+): (#\w+);", block)) for block in re.findall(r":root \{(.*?)\}", css, re.S)]
    assert len(schemes) == 2
    for scheme in schemes:
        for text in ("ink", "soft", "partial", "again", "shadow", "active", "kept"):
            for ground in ("sheet", "mark", "hover"):
                assert contrast(scheme[text], scheme[ground]) >= 4.5, (text, ground, scheme[text], scheme[ground])
        assert contrast(scheme["kept"], scheme["kept-paper"]) >= 4.5
        assert contrast(scheme["soft"], scheme["ops"]) >= 4.5 and contrast(scheme["soft"], scheme["mem"]) >= 4.5


def test_in_a_notebook_it_is_a_frame(report: Report) -> None:
    frame = report._repr_html_()
    assert frame.startswith("<iframe") and "<script>" not in frame and "&lt;script&gt;" in frame


def test_a_layout_puts_boxes_apart() -> None:
    nodes = [Node("x", is_end=True), Node("sine", role=Role.primal), Node("cosine", role=Role.partial)]
    nodes += [Node("multiply", role=Role.shadow), Node("results", is_end=True)]
    edges = [Edge(0, 1), Edge(0, 2), Edge(2, 3, is_kept=True), Edge(1, 4), Edge(3, 4)]
    boxes = draw(Graph("", nodes, edges, runs_up=True)).boxes
    for i, a in enumerate(boxes):
        for b in boxes[:i]:
            apart = a.x + a.width <= b.x or b.x + b.width <= a.x or a.y + a.height <= b.y or b.y + b.height <= a.y
            assert apart, (a.node.label, b.node.label)
    assert boxes[3].x > max(boxes[k].x + boxes[k].width for k in (0, 1, 2))  # shadows on the right


# -- at the command line


def test_the_command(source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "r.html"
    assert main(["report", str(source), "--fn", "f", "--wrt", "x,w", "-o", str(out)]) == 0
    assert out.read_text().startswith("<!doctype html>")
    assert "operations" in capsys.readouterr().out


def test_the_command_on_python(tmp_path: Path) -> None:
    path, out = tmp_path / "model.py", tmp_path / "r.html"
    path.write_text("import jax.numpy as jnp\n\ndef loss(w, x):\n    h = jnp.tanh(w @ x)\n    return jnp.sum(h)\n")
    assert main(["report", str(path), "--fn", "loss", "--shape", "w=2x3,x=3", "--wrt", "w", "-o", str(out)]) == 0
    text = out.read_text()
    assert "vjp_loss(w: tensor&lt;2x3xf32&gt;, x: tensor&lt;3xf32&gt;" in text
    assert "model.py" in text and re.search(r'id="L4" data-d="[\d ]+"', text)


def test_the_command_refuses_what_is_not_there(
    source: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "r.html"
    assert main(["report", str(source), "--fn", "g", "-o", str(out)]) != 0
    assert "no function @g" in capsys.readouterr().err
    assert main(["report", str(source), "--fn", "f", "--wrt", "q", "-o", str(out)]) != 0
    assert "no argument 'q'" in capsys.readouterr().err
    assert main(["report", str(source), "--flag=-O3", "-o", str(out)]) != 0
    assert "--flag is for sources that are compiled" in capsys.readouterr().err
    assert not out.exists()
