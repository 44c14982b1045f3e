// The page of `appcore replay --html`: the steps of a recording.
{
  const byID = (id) => document.getElementById(id);
  const read = (id) => JSON.parse(byID(id).textContent);
  const rowHeight = 22;

  // What is known of every step, a column each; the rest is in chunks.
  const index = read("index");
  const count = index.took.length;
  const first = index.first;
  const columns = {
    time: new Float64Array(count),
    took: Float64Array.from(index.took),
    kind: Uint8Array.from(index.kind),
    node: Int32Array.from(index.node),
    instance: Int32Array.from(index.instance),
    failed: new Uint8Array(count),
  };
  let time = 0;
  index.time.forEach((passed, step) => (columns.time[step] = time += passed));
  for (const step of index.failed) columns.failed[step] = 1;
  const { nodes, instances, plugins, nodePlugins, kinds, chunks } = index;
  for (const name of ["time", "took", "kind", "node", "instance"]) delete index[name];

  // A chunk is parsed when one of its steps is needed; the latest few are kept.
  const parsed = new Map();
  function chunk(number) {
    let found = parsed.get(number);
    if (!found) {
      found = read("chunk-" + number);
      let screen = found.base;
      for (const step of found.steps) {
        step.before = screen;
        screen = step.screen = step.screen ?? screen;
      }
      if (parsed.size >= 8) parsed.delete(parsed.keys().next().value);
    } else {
      parsed.delete(number);
    }
    parsed.set(number, found);
    return found;
  }
  function chunkOf(step) {
    let low = 0;
    let high = chunks.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (chunks[middle] <= step) low = middle;
      else high = middle - 1;
    }
    return low;
  }
  function detail(step) {
    const number = chunkOf(step);
    return chunk(number).steps[step - chunks[number]];
  }
  function text(step) {
    const { line, text } = detail(step);
    if (line === undefined) return text;
    return text === "" || text === line ? "> " + line : "> " + line + "  " + text;
  }

  const seconds = (microseconds) => (microseconds / 1e6).toFixed(3) + " s";
  const duration = (microseconds) =>
    microseconds < 1000 ? Math.round(microseconds) + " µs" : (microseconds / 1000).toFixed(1) + " ms";
  const place = (step) =>
    columns.node[step] < 0
      ? ""
      : nodes[columns.node[step]] + " #" + (instances[columns.instance[step]] ?? "");

  function element(name, properties, ...children) {
    const made = document.createElement(name);
    for (const [key, value] of Object.entries(properties)) {
      if (key in made) made[key] = value;
      else made.setAttribute(key, value);
    }
    made.append(...children);
    return made;
  }

  // The steps that pass the filters, and the one that is shown.
  let passing = Uint32Array.from({ length: count }, (_, step) => step);
  let chosen = -1;

  // The first index in `passing` whose step is not before this one.
  function position(step) {
    let low = 0;
    let high = passing.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (passing[middle] < step) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  // The list has rows for what is in view only.
  const list = byID("list");
  const sizer = element("div", {});
  list.append(sizer);
  let rows = [];

  function draw() {
    const top = Math.max(0, Math.floor(list.scrollTop / rowHeight) - 10);
    const end = Math.min(passing.length, top + Math.ceil(list.clientHeight / rowHeight) + 20);
    for (const row of rows) row.remove();
    rows = [];
    for (let at = top; at < end; at++) {
      const step = passing[at];
      const isChosen = step === chosen;
      const row = element(
        "div",
        {
          id: "step-" + (first + step), role: "option", "aria-selected": String(isChosen),
          "aria-setsize": passing.length, "aria-posinset": at + 1,
          className:
            "step" + (isChosen ? " chosen" : "") + (columns.failed[step] ? " failed" : ""),
        },
        element("span", { className: "number" }, String(first + step)),
        element("span", { className: "kind" }, kinds[columns.kind[step]]),
        element("span", { className: "what" }, (place(step) + " " + text(step)).trim()),
        element("span", { className: "took" }, duration(columns.took[step])),
      );
      row.style.top = at * rowHeight + "px";
      row.dataset.step = step;
      rows.push(row);
    }
    list.append(...rows);
    list.setAttribute("aria-activedescendant", "step-" + (first + chosen));
  }

  function resizeList() {
    sizer.style.height = passing.length * rowHeight + "px";
    byID("found").textContent =
      passing.length === count
        ? count.toLocaleString("en") + " steps"
        : passing.length.toLocaleString("en") + " of " + count.toLocaleString("en") + " steps";
    draw();
  }

  function reveal(step) {
    const top = position(step) * rowHeight;
    if (top < list.scrollTop) list.scrollTop = top;
    if (top + rowHeight > list.scrollTop + list.clientHeight) {
      list.scrollTop = top + rowHeight - list.clientHeight;
    }
  }

  // The graph has the instances' nodes on it.
  const graph = openGraph(byID("picture"));

  // A screen, with the lines that the other one lacks marked.
  function drawScreen(target, lines, screen, other, mark) {
    const missing = new Map();
    for (const line of other) missing.set(line, (missing.get(line) ?? 0) + 1);
    target.replaceChildren(
      ...screen.map((line) => {
        const left = missing.get(line) ?? 0;
        if (left > 0) missing.set(line, left - 1);
        return element("span", { className: left > 0 ? "" : mark }, lines[line]);
      }),
    );
  }

  function choose(step) {
    if (count === 0) return;
    step = Math.min(count - 1, Math.max(0, step));
    if (step === chosen) return;
    chosen = step;
    const what = detail(step);
    const lines = chunk(chunkOf(step)).lines;
    const summary =
      "Step " + (first + step) + " of " + (first + count - 1) + ", " + kinds[columns.kind[step]] +
      (place(step) === "" ? "" : ", " + place(step)) + ", at " + seconds(columns.time[step]) +
      ", took " + duration(columns.took[step]);
    byID("summary").textContent = summary;
    byID("what").textContent = text(step);
    byID("refusal").textContent = what.refusal ?? "";
    drawScreen(byID("before"), lines, what.before, what.screen, "gone");
    drawScreen(byID("after"), lines, what.screen, what.before, "new");
    const changes = what.changes ?? [];
    byID("changes").replaceChildren(
      ...changes.map((change) =>
        element("tr", {}, ...change.map((cell) => element("td", { className: "mono" }, cell ?? "—"))),
      ),
    );
    byID("no-changes").hidden = changes.length > 0;
    byID("changes-table").hidden = changes.length === 0;
    graph.mark((what.path ?? []).map((node) => nodes[node]));
    const slider = byID("slider");
    slider.value = first + step;
    slider.setAttribute("aria-valuetext", summary + ": " + text(step));
    const at = position(step);
    byID("back").disabled = byID("first").disabled = passing.length === 0 || passing[0] >= step;
    byID("forward").disabled = byID("last").disabled =
      passing.length === 0 || passing[passing.length - 1] <= step;
    if (passing[at] === step) reveal(step);
    draw();
    remember();
  }

  // The step is in the address, but not each one of those that a slider passes.
  let reminder = 0;
  function remember() {
    clearTimeout(reminder);
    reminder = setTimeout(() => history.replaceState(null, "", "#" + (first + chosen)), 100);
  }

  // To another step of those that pass.
  function go(by) {
    if (passing.length === 0) return;
    const at = position(chosen);
    const isPassing = passing[at] === chosen;
    const wanted = by > 0 && !isPassing ? at + by - 1 : at + by;
    choose(passing[Math.min(passing.length - 1, Math.max(0, wanted))]);
  }

  // Filters.
  const search = byID("search");
  for (const [id, names] of [["kind", kinds], ["plugin", plugins], ["node", nodes]]) {
    names.forEach((name, number) =>
      byID(id).append(element("option", { value: String(number) }, name)),
    );
  }
  let searching = 0;
  function filter() {
    const number = (id) => (byID(id).value === "" ? -1 : Number(byID(id).value));
    const kind = number("kind");
    const plugin = number("plugin");
    const node = number("node");
    const wanted = byID("instance").value.trim().replace(/^#/, "");
    const instance = wanted === "" ? -1 : instances.indexOf(wanted);
    const isKnown = wanted === "" || instance >= 0;
    const slower = Math.max(0, number("slower")) * 1000;
    const words = search.value.trim().toLowerCase();
    const matching = [];
    const passes = (step) =>
      isKnown &&
      (kind < 0 || columns.kind[step] === kind) &&
      (node < 0 || columns.node[step] === node) &&
      (plugin < 0 || (columns.node[step] >= 0 && nodePlugins[columns.node[step]] === plugin)) &&
      (instance < 0 || columns.instance[step] === instance) &&
      columns.took[step] >= slower;
    const run = ++searching;
    let step = 0;
    // In slices, so that the page answers while chunks are parsed for their words.
    function slice() {
      if (run !== searching) return;
      const end = performance.now() + 12;
      while (step < count) {
        if (passes(step) && (words === "" || text(step).toLowerCase().includes(words))) {
          matching.push(step);
        }
        step++;
        if (words !== "" && (step & 63) === 0 && performance.now() > end) break;
      }
      passing = Uint32Array.from(matching);
      resizeList();
      if (step < count) {
        byID("found").textContent += ", searching…";
        setTimeout(slice);
        return;
      }
      const now = chosen;
      chosen = -1;
      choose(now);
    }
    slice();
  }
  for (const id of ["kind", "plugin", "node", "instance", "slower", "search"]) {
    byID(id).addEventListener("input", filter);
  }
  byID("clear").addEventListener("click", () => {
    for (const id of ["kind", "plugin", "node", "instance", "slower", "search"]) byID(id).value = "";
    filter();
  });

  list.addEventListener("scroll", draw);
  new ResizeObserver(draw).observe(list);
  list.addEventListener("click", (event) => {
    const row = event.target.closest(".step");
    if (row) choose(Number(row.dataset.step));
  });
  const page = () => Math.max(1, Math.floor(list.clientHeight / rowHeight) - 1);
  const keys = {
    ArrowDown: () => go(1), j: () => go(1), ArrowUp: () => go(-1), k: () => go(-1),
    PageDown: () => go(page()), PageUp: () => go(-page()),
    Home: () => go(-count), End: () => go(count),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target.closest("input, select, button, svg")) {
      if (event.key === "Escape" && event.target === search) list.focus();
      return;
    }
    if (event.key === "/") {
      search.focus();
      event.preventDefault();
    } else if (keys[event.key]) {
      keys[event.key]();
      event.preventDefault();
    }
  });
  byID("first").addEventListener("click", () => go(-count));
  byID("back").addEventListener("click", () => go(-1));
  byID("forward").addEventListener("click", () => go(1));
  byID("last").addEventListener("click", () => go(count));
  const slider = byID("slider");
  slider.min = first;
  slider.max = Math.max(first, first + count - 1);
  slider.addEventListener("input", () => choose(Number(slider.value) - first));

  function open() {
    const wanted = Number(location.hash.slice(1));
    choose(Number.isInteger(wanted) && wanted > 0 ? wanted - first : count - 1);
  }
  window.addEventListener("hashchange", open);
  resizeList();
  open();
}
