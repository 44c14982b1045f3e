// The list of steps: a listbox that has elements only for the rows in view.
function openList(list, steps, choose) {
  const rowHeight = 22;
  // How many rows there are above and below those in view.
  const margin = 4;
  // How much of a step's text is shown.
  const textLimit = 160;

  const sizer = document.createElement("div");
  list.append(sizer);
  // The numbers of the steps that are listed.
  let listed = new Uint32Array();
  let chosen = -1;
  // What is in view; to ask the element for it would lay out the page.
  let top = 0;
  let height = 0;
  // The rows, one below the other.
  const rows = [];

  // Two texts on one line, and not a cell for each: the browser's layout of each row is garbage when
  // the next rows are shown.
  function makeRow() {
    const element = document.createElement("div");
    element.setAttribute("role", "option");
    const facts = document.createElement("span");
    facts.className = "dim";
    element.append(facts, "");
    facts.append("");
    return { element: element, facts: facts.firstChild, what: element.lastChild, at: -1, step: -1 };
  }

  const widest = Math.max(...steps.kinds.map((kind) => kind.length), 0);
  const numberLength = String(steps.first + steps.count - 1).length;

  function fill(row, at) {
    const step = listed[at];
    row.at = at;
    row.step = step;
    row.element.id = "step-" + (steps.first + step);
    row.element.style.top = at * rowHeight + "px";
    row.element.setAttribute("aria-posinset", at + 1);
    row.element.setAttribute("aria-setsize", listed.length);
    row.facts.data =
      String(steps.first + step).padStart(numberLength) + " " +
      steps.kinds[steps.kind[step]].padEnd(widest) + steps.duration(step).padStart(9) + "  ";
    row.what.data = (steps.hasProblem[step] ? "✗ " : "") +
      (steps.place(step) + " " + steps.text(step).slice(0, textLimit)).trim();
    mark(row);
  }

  function mark(row) {
    row.element.className =
      "step" + (row.step === chosen ? " chosen" : "") + (steps.hasProblem[row.step] ? " problem" : "");
    row.element.setAttribute("aria-selected", row.step === chosen);
  }

  // Fills the rows around those in view. Rows stay in the document as far as possible: the browser
  // makes new layout objects for an element that is moved.
  function draw() {
    const first = Math.max(0, Math.floor(top / rowHeight) - margin);
    const end = Math.min(listed.length, Math.ceil((top + height) / rowHeight) + margin);
    while (rows.length > Math.max(0, end - first)) rows.pop().element.remove();
    while (rows.length < end - first) {
      const row = makeRow();
      rows.push(row);
      list.append(row.element);
    }
    // Rows that are needed again keep their content when the list scrolls by a few.
    const passed = rows.length > 0 && rows[0].at >= 0 ? first - rows[0].at : 0;
    if (passed > 0 && passed < rows.length) {
      const moved = rows.splice(0, passed);
      rows.push(...moved);
      list.append(...moved.map((row) => row.element));
    } else if (passed < 0 && -passed < rows.length) {
      const moved = rows.splice(passed);
      rows.unshift(...moved);
      sizer.after(...moved.map((row) => row.element));
    }
    rows.forEach((row, number) => {
      if (row.at !== first + number) fill(row, first + number);
    });
    const active = rows.find((row) => row.step === chosen);
    if (active) list.setAttribute("aria-activedescendant", active.element.id);
    else list.removeAttribute("aria-activedescendant");
  }

  // The place in the list of the last step that is not after this one; -1 if there is none.
  const position = (step) => steps.lastAtMost(step, listed);

  function scroll() {
    top = list.scrollTop;
    draw();
  }
  list.addEventListener("scroll", scroll);
  new ResizeObserver(() => {
    const wasShown = isShown();
    height = list.clientHeight;
    scroll();
    if (wasShown) reveal();
  }).observe(list);
  // Whether the chosen step's row is in view.
  function isShown() {
    const rowTop = position(chosen) * rowHeight;
    return rowTop >= top && rowTop + rowHeight <= top + height;
  }

  // Scrolls to the chosen step's row, if it has one.
  function reveal() {
    const at = position(chosen);
    const before = top;
    if (listed[at] === chosen) {
      const rowTop = at * rowHeight;
      top = Math.max(Math.min(top, rowTop), rowTop + rowHeight - height);
    }
    draw();
    if (top !== before) list.scrollTop = top;
  }

  list.addEventListener("click", (event) => {
    const row = rows.find((row) => row.element.contains(event.target));
    if (row) choose(row.step);
  });

  return {
    get length() { return listed.length; },
    // How many rows are a page.
    get page() { return Math.max(1, Math.floor(height / rowHeight) - 1); },
    // Lists other steps.
    set(numbers) {
      listed = numbers;
      for (const row of rows) row.at = -1;
      sizer.style.height = listed.length * rowHeight + "px";
      height = list.clientHeight;
      scroll();
    },
    // The step that is so many after this one in the list, or the last one there; -1 if none is.
    neighbor(step, by) {
      const at = position(step);
      // From a step that is not listed, the next one is not the one after the next.
      const start = by < 0 && listed[at] !== step ? at + 1 : at;
      if (listed.length === 0) return -1;
      return listed[Math.min(listed.length - 1, Math.max(0, start + by))];
    },
    // Shows which step is chosen, and that step's row if it has one.
    choose(step) {
      chosen = step;
      for (const row of rows) mark(row);
      reveal();
    },
  };
}
