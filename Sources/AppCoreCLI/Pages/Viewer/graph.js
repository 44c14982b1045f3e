"use strict";

// The graph: choosing a node shows the lines that begin or end there.
function openGraph(picture) {
  const byID = (id) => document.getElementById(id);
  const graph = picture.querySelector("svg");
  const boxes = new Map();
  for (const box of graph.querySelectorAll(".node")) boxes.set(box.dataset.node, box);
  const lines = [...graph.querySelectorAll(".line")];
  let marked = [];

  function choose(name) {
    graph.classList.toggle("choosing", boxes.has(name));
    for (const line of lines) {
      line.classList.toggle("chosen", line.dataset.from === name || line.dataset.to === name);
    }
  }

  graph.addEventListener("focusin", (event) => {
    const box = event.target.closest(".node");
    if (box) choose(box.dataset.node);
  });
  graph.addEventListener("focusout", () => choose(null));
  graph.addEventListener("click", (event) => {
    const row = event.target.closest("[data-target]");
    const box = row ? boxes.get(row.dataset.target) : event.target.closest(".node");
    if (!box) return;
    box.focus({ preventScroll: !row });
    if (row) show(box);
  });

  // Scrolls the picture to a box. scrollIntoView would scroll the page, too.
  function show(box) {
    const inner = box.getBoundingClientRect();
    const outer = picture.getBoundingClientRect();
    if (inner.left < outer.left || inner.right > outer.right) {
      picture.scrollLeft += inner.left - outer.left - Math.max(8, (outer.width - inner.width) / 2);
    }
    if (inner.top < outer.top || inner.bottom > outer.bottom) {
      picture.scrollTop += inner.top - outer.top - Math.max(8, (outer.height - inner.height) / 2);
    }
  }

  const natural = graph.viewBox.baseVal;
  let size = 1;
  function resize(factor) {
    size = Math.min(4, Math.max(0.1, factor));
    graph.setAttribute("width", Math.round(natural.width * size));
    graph.setAttribute("height", Math.round(natural.height * size));
    byID("size").textContent = Math.round(size * 100) + " %";
  }
  byID("larger").addEventListener("click", () => resize(size * 1.25));
  byID("smaller").addEventListener("click", () => resize(size / 1.25));
  byID("fit").addEventListener("click", () => {
    // The picture may be as high as its content.
    resize(1);
    const { clientWidth, clientHeight } = picture;
    resize(Math.min(1, clientWidth / natural.width, clientHeight / natural.height));
  });

  const start = graph.querySelector(".start");
  if (start) show(start);

  return {
    // Moves the keyboard to a node.
    focus(name) {
      const box = boxes.get(name);
      if (!box) return;
      box.focus();
      show(box);
    },
    // Marks the nodes whose text has these words, and returns their names.
    find(words) {
      const found = [];
      for (const [name, box] of boxes) {
        const isFound = words !== "" && box.getAttribute("aria-label").toLowerCase().includes(words);
        box.classList.toggle("found", isFound);
        if (isFound) found.push(name);
      }
      return found;
    },
    // Marks where the app is, and the way there.
    mark(path) {
      for (const box of marked) {
        box.classList.remove("onpath", "here");
        box.removeAttribute("aria-current");
      }
      marked = path.map((name) => boxes.get(name)).filter(Boolean);
      for (const box of marked) box.classList.add("onpath");
      const here = boxes.get(path[path.length - 1]);
      if (!here) return;
      here.classList.add("here");
      here.setAttribute("aria-current", "location");
      show(here);
    },
  };
}
