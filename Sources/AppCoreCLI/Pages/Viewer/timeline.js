// The page of `appcore replay --html`.
{
  const byID = (id) => document.getElementById(id);
  const steps = openSteps();
  const { count, first } = steps;
  const graph = openGraph(byID("picture"));
  const list = openList(byID("list"), steps, (step) => choose(step));
  const slider = byID("slider");
  const search = byID("search");
  let chosen = -1;

  function element(name, className, text) {
    const made = document.createElement(name);
    made.className = className;
    made.textContent = text;
    return made;
  }

  // A line without the end of the rule after a title, which is as long as a terminal is wide. Not by
  // a regular expression, which takes quadratic time for lines of many dashes.
  function short(line) {
    let end = line.length;
    while (line[end - 1] === "─") end--;
    return line.slice(0, end + 2);
  }

  // Shows a screen, with the lines marked that the other one lacks.
  function showScreen(target, screen, other, name) {
    const missing = new Map();
    for (const line of other) missing.set(line, (missing.get(line) ?? 0) + 1);
    const parts = [];
    // Lines that are not marked are one text.
    let same = "";
    for (const line of screen) {
      const left = missing.get(line) ?? 0;
      if (left > 0) {
        missing.set(line, left - 1);
        same += short(line) + "\n";
      } else {
        if (same !== "") parts.push(same);
        same = "";
        parts.push(element(name, "", short(line) + "\n"));
      }
    }
    target.replaceChildren(...parts, same);
  }

  function cell(text, className) {
    if (text !== null) return element("td", "mono " + className, text);
    const none = element("td", "", "—");
    none.setAttribute("aria-label", "none");
    return none;
  }

  function choose(step) {
    if (count === 0) return;
    step = Math.min(count - 1, Math.max(0, step));
    if (step === chosen) return;
    chosen = step;
    const { text, problem, before, after, path, changes } = steps.details(step);
    const place = steps.place(step);
    const summary =
      "Step " + (first + step) + " of " + (first + count - 1) + ", " +
      steps.kinds[steps.kind[step]] + (place === "" ? "" : ", " + place) + ", at " +
      (steps.time[step] / 1e6).toFixed(3) + " s, took " + steps.duration(step);
    byID("summary").textContent = summary;
    byID("what").textContent = text;
    byID("problem").textContent = problem;
    byID("problem").hidden = problem === "";
    showScreen(byID("before"), before, after, "del");
    showScreen(byID("after"), after, before, "ins");
    byID("changes").replaceChildren(
      ...changes.map(([field, before, after]) => {
        const row = document.createElement("tr");
        const head = element("th", "mono", field);
        head.scope = "row";
        row.append(head, cell(before, "gone"), cell(after, "new"));
        return row;
      }),
    );
    byID("no-changes").hidden = changes.length > 0;
    byID("changes-table").hidden = changes.length === 0;
    slider.value = first + step;
    slider.setAttribute("aria-valuetext", summary + ": " + text.slice(0, 300));
    list.choose(step);
    graph.mark(path);
    enable();
    remember();
  }

  // Buttons that lead nowhere are disabled; not by an attribute, which would take the focus away.
  function enable() {
    const isFirst = list.length === 0 || list.neighbor(chosen, -1) >= chosen;
    const isLast = list.length === 0 || list.neighbor(chosen, 1) <= chosen;
    for (const id of ["first", "back"]) byID(id).setAttribute("aria-disabled", isFirst);
    for (const id of ["last", "forward"]) byID(id).setAttribute("aria-disabled", isLast);
  }

  // The step is in the address, but not each one of those that a slider passes.
  let reminder = 0;
  function remember() {
    clearTimeout(reminder);
    reminder = setTimeout(() => history.replaceState(null, "", "#" + (first + chosen)), 100);
  }

  // To another step of those in the list.
  function go(by) {
    const step = list.neighbor(chosen, by);
    if (step >= 0) choose(step);
  }

  // Filters.
  for (const [id, names] of [
    ["kind", steps.kinds], ["plugin", steps.plugins], ["node", steps.nodes],
  ]) {
    names.forEach((name, number) => byID(id).add(new Option(name, number)));
  }
  function showFound(found, isDone) {
    byID("found").textContent =
      (found === count ? "" : found.toLocaleString("en") + " of ") + count.toLocaleString("en") +
      (count === 1 ? " step" : " steps") + (isDone ? "" : ", searching…");
  }
  let run = 0;
  function filter() {
    const number = (id) => (byID(id).value === "" ? -1 : Number(byID(id).value));
    const kind = number("kind");
    const plugin = number("plugin");
    const node = number("node");
    const least = number("slower") * 1000;
    const name = byID("instance").value.trim().replace(/^#/, "");
    // An instance that there is not has no steps.
    const instance = name === "" ? -1 : steps.instances.indexOf(name) + 1 || Infinity;
    const words = search.value.trim().toLowerCase();
    const passes = (step) =>
      (kind < 0 || steps.kind[step] === kind) &&
      (node < 0 || steps.node[step] === node) &&
      (plugin < 0 || steps.nodePlugins[steps.node[step]] === plugin) &&
      (instance < 0 || steps.instance[step] + 1 === instance) &&
      steps.took[step] >= least &&
      (words === "" || steps.text(step).toLowerCase().includes(words));
    const passing = [];
    const thisRun = ++run;
    let step = 0;
    // In slices, so that the page answers meanwhile.
    function slice() {
      if (run !== thisRun) return;
      const end = performance.now() + 8;
      while (step < count && ((step & 63) > 0 || performance.now() < end)) {
        if (passes(step)) passing.push(step);
        step++;
      }
      const isDone = step >= count;
      showFound(passing.length, isDone);
      list.set(Uint32Array.from(passing));
      if (!isDone) {
        setTimeout(slice);
        return;
      }
      list.choose(chosen);
      enable();
    }
    slice();
  }
  const filters = ["kind", "plugin", "node", "instance", "slower", "search"].map(byID);
  for (const field of filters) field.addEventListener("input", filter);
  byID("clear").addEventListener("click", () => {
    for (const field of filters) field.value = "";
    filter();
  });

  const keys = {
    ArrowDown: () => go(1), j: () => go(1), ArrowUp: () => go(-1), k: () => go(-1),
    PageDown: () => go(list.page), PageUp: () => go(-list.page),
    Home: () => go(-count), End: () => go(count),
  };
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.key === "Escape" && event.target.closest("#filters")) byID("list").focus();
    if (event.target.closest("input, select")) return;
    if (event.key === "/") {
      search.focus();
      event.preventDefault();
    } else if (keys[event.key] && (event.target === document.body || event.target.id === "list")) {
      // Elsewhere, these keys scroll.
      keys[event.key]();
      event.preventDefault();
    }
  });
  for (const [id, by] of [["first", -count], ["back", -1], ["forward", 1], ["last", count]]) {
    byID(id).addEventListener("click", () => {
      go(by);
      // The list tells a screen reader of its steps by itself, and the slider too.
      byID("spoken").textContent = byID("summary").textContent;
    });
  }
  slider.min = first;
  slider.max = Math.max(first, first + count - 1);
  slider.addEventListener("input", () => choose(Number(slider.value) - first));

  function open(hash) {
    const wanted = Number(hash.slice(1));
    choose(Number.isInteger(wanted) && wanted > 0 ? wanted - first : count - 1);
  }
  // The address may by now be that of the last step again, which is written after a while.
  window.addEventListener("hashchange", (event) => open(new URL(event.newURL).hash));
  showFound(count, true);
  list.set(Uint32Array.from({ length: count }, (_, step) => step));
  open(location.hash);
}
