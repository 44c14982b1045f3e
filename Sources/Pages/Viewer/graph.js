"use strict";

// The graph: choosing a node shows the lines that begin or end there.
function openGraph(picture) {
  const graph = picture.querySelector("svg");
  const boxes = new Map();
  for (const box of graph.querySelectorAll(".node")) boxes.set(box.dataset.node, box);
  const lines = [...graph.querySelectorAll(".line")];

  function choose(name) {
    graph.classList.toggle("choosing", boxes.has(name));
    for (const line of lines) {
      line.classList.toggle("chosen", line.dataset.from === name || line.dataset.to === name);
    }
  }

  function show(box, block) {
    box.scrollIntoView({ block: block, inline: block });
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
    box.focus();
    if (row) show(box, "center");
  });

  return {
    names: [...boxes.keys()],
    choose: choose,
    // Moves the keyboard to a node.
    focus(name) {
      const box = boxes.get(name);
      if (!box) return false;
      box.focus();
      show(box, "center");
      return true;
    },
    // Marks the nodes whose text has these words.
    find(words) {
      const found = [];
      for (const [name, box] of boxes) {
        const isFound = words !== "" && box.getAttribute("aria-label").toLowerCase().includes(words);
        box.classList.toggle("found", isFound);
        if (isFound) found.push(name);
      }
      return found;
    },
    // Marks where a person is, and the way there.
    mark(path) {
      for (const box of graph.querySelectorAll(".onpath, .here")) {
        box.classList.remove("onpath", "here");
      }
      path.forEach((name, index) => {
        const box = boxes.get(name);
        if (!box) return;
        box.classList.add("onpath");
        if (index === path.length - 1) box.classList.add("here");
      });
      const here = boxes.get(path[path.length - 1]);
      if (!here) return;
      // By hand: scrollIntoView would move the page, too.
      const inner = here.getBoundingClientRect();
      const outer = picture.getBoundingClientRect();
      if (inner.left < outer.left || inner.right > outer.right) {
        picture.scrollLeft += inner.left - outer.left - 24;
      }
      if (inner.top < outer.top || inner.bottom > outer.bottom) {
        picture.scrollTop += inner.top - outer.top - 24;
      }
    },
    // Draws it in another size.
    zoom(factor) {
      const box = graph.viewBox.baseVal;
      graph.setAttribute("width", Math.round(box.width * factor));
      graph.setAttribute("height", Math.round(box.height * factor));
    },
    // The size in which all of it is seen.
    get fitting() {
      const box = graph.viewBox.baseVal;
      return Math.min(1, picture.clientWidth / box.width, picture.clientHeight / box.height);
    },
  };
}
