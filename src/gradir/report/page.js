"use strict";
// Marks what belongs together, and moves graphs. The page can be read without it.
(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const said = document.getElementById("said");
  const words = (text) => (text ? text.split(" ") : []);

  // Which lines of the derivative, and which nodes of graphs, come from a line of the source.
  const fromSource = new Map();
  for (const element of all("[data-s]"))
    for (const id of words(element.dataset.s)) {
      if (!fromSource.has(id)) fromSource.set(id, []);
      fromSource.get(id).push(element);
    }

  let marked = [];
  function clear() {
    for (const element of marked) {
      element.classList.remove("on");
      element.removeAttribute("aria-current");
    }
    marked = [];
  }

  function mark(elements) {
    for (const element of elements) {
      element.classList.add("on");
      element.setAttribute("aria-current", "true");
      marked.push(element);
    }
  }

  // A pane scrolls by itself, so that the page stays where it is.
  function reveal(line) {
    const pane = line && line.closest(".pane");
    if (!pane) return;
    const place = line.getBoundingClientRect(), frame = pane.getBoundingClientRect();
    if (place.top < frame.top + 40 || place.bottom > frame.bottom)
      pane.scrollTop += place.top - frame.top - frame.height / 3;
  }

  const isSource = (line) => line.closest("#source") !== null;

  // Marks a line, or a node, with all that comes from the same lines of the source.
  function choose(element, remember = true) {
    if (!element) return;
    clear();
    const sources = isSource(element) ? [element.id] : words(element.dataset.s);
    const lines = sources.map((id) => document.getElementById(id)).filter(Boolean);
    const derived = sources.flatMap((id) => fromSource.get(id) || []);
    mark(new Set([...lines, ...derived, element]));
    const listed = derived.filter((e) => e.tagName === "LI");
    if (element.tagName !== "LI" || isSource(element)) reveal(listed[0]);
    if (element.tagName !== "LI" || !isSource(element)) reveal(lines[0]);
    said.textContent = `${lines.length} lines of the source, ${listed.length} of the derivative`;
    if (remember && element.id) history.replaceState(null, "", "#" + element.id);
  }

  document.addEventListener("click", (event) => {
    const link = event.target.closest("#rules a");
    if (link) {
      event.preventDefault();
      const line = document.getElementById(link.hash.slice(1));
      choose(line);
      line.closest(".panes").scrollIntoView({ block: "nearest" });
      reveal(line);
      return;
    }
    const line = event.target.closest(".lines li[data-d], .lines li[data-s], .graph [data-s]");
    if (!line || dragged || String(getSelection())) return;
    event.preventDefault();
    choose(line);
  });

  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") {
      clear();
      said.textContent = "";
      history.replaceState(null, "", location.pathname + location.search);
    }
    const line = event.target.closest && event.target.closest(".lines li");
    if (!line || (event.key !== "ArrowDown" && event.key !== "ArrowUp")) return;
    const lines = all("li[data-d], li[data-s]", line.closest(".pane"));
    const next = lines[lines.indexOf(line) + (event.key === "ArrowDown" ? 1 : -1)];
    if (!next) return;
    event.preventDefault();
    next.querySelector("a").focus();
    choose(next);
  });

  function fromAddress() {
    const line = document.getElementById(decodeURIComponent(location.hash.slice(1)));
    if (line && line.closest(".lines")) {
      choose(line, false);
      reveal(line);
    }
  }
  addEventListener("hashchange", fromAddress);

  // Graphs: what is seen of a drawing is its view box.
  let dragged = false;
  const viewOf = (svg) => svg.getAttribute("viewBox").split(" ").map(Number);
  const look = (svg, box) => svg.setAttribute("viewBox", box.map((n) => +n.toFixed(2)).join(" "));

  function fit(svg) {
    const [width, height] = svg.dataset.size.split(" ").map(Number);
    look(svg, [-12, -12, width, height]);
  }

  function begin(svg) {  // what is too large to be read is seen from its beginning
    const [width, height] = svg.dataset.size.split(" ").map(Number);
    const frame = svg.parentElement.getBoundingClientRect();
    if (!frame.width) return;
    const scale = Math.min(frame.width / width, frame.height / height);
    if (scale >= 0.55) {
      const by = Math.max(1, scale / 1.25);
      look(svg, [-12 - (width * (by - 1)) / 2, -12 - (height * (by - 1)) / 2, width * by, height * by]);
      return;
    }
    const w = frame.width / 0.85, h = frame.height / 0.85;
    look(svg, [Math.max(-12, (width - w) / 2 - 12), -12, w, h]);
  }

  function zoom(svg, by, x = 0.5, y = 0.5) {
    const [left, top, width, height] = viewOf(svg);
    const w = Math.min(Math.max(width / by, 40), 200000), h = (height * w) / width;
    look(svg, [left + (width - w) * x, top + (height - h) * y, w, h]);
  }

  const shown = () => all(".graph svg").find((svg) => svg.getBoundingClientRect().width > 0);
  for (const svg of all(".graph svg")) {
    let start = null;
    svg.addEventListener("pointerdown", (event) => {
      start = { x: event.clientX, y: event.clientY, box: viewOf(svg) };
      dragged = false;
    });
    svg.addEventListener("pointermove", (event) => {
      if (!start) return;
      const dx = event.clientX - start.x, dy = event.clientY - start.y;
      if (!dragged && Math.hypot(dx, dy) < 4) return;
      if (!dragged) svg.setPointerCapture(event.pointerId);
      dragged = true;
      const frame = svg.getBoundingClientRect(), [left, top, width, height] = start.box;
      const scale = Math.max(width / frame.width, height / frame.height);
      look(svg, [left - dx * scale, top - dy * scale, width, height]);
    });
    const stop = () => {
      start = null;
      setTimeout(() => (dragged = false));
    };
    svg.addEventListener("pointerup", stop);
    svg.addEventListener("pointercancel", stop);
    svg.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && !event.metaKey) return;
      event.preventDefault();
      const frame = svg.getBoundingClientRect();
      zoom(svg, Math.exp(-event.deltaY / 300), (event.clientX - frame.left) / frame.width, (event.clientY - frame.top) / frame.height);
    }, { passive: false });
    svg.addEventListener("keydown", (event) => {
      const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
      if (event.key === "+" || event.key === "=") zoom(svg, 1.25);
      else if (event.key === "-") zoom(svg, 0.8);
      else if (event.key === "0") fit(svg);
      else if (event.key in steps) {
        const [left, top, width, height] = viewOf(svg), [x, y] = steps[event.key];
        look(svg, [left + (x * width) / 12, top + (y * height) / 12, width, height]);
      } else return;
      event.preventDefault();
    });
    begin(svg);
  }
  for (const input of all("#graphs input"))
    input.addEventListener("change", () => shown() && begin(shown()));
  for (const bar of all(".zoom")) bar.hidden = false;
  for (const button of all("[data-zoom]"))
    button.addEventListener("click", () => {
      const svg = shown();
      if (!svg) return;
      if (button.dataset.zoom === "fit") fit(svg);
      else zoom(svg, button.dataset.zoom === "in" ? 1.3 : 1 / 1.3);
    });

  for (const pane of all("#source")) {
    const first = pane.querySelector("li[data-d]");
    if (first) reveal(first);
  }
  fromAddress();
})();
