// The steps of a recording: what filters need of all of them, and the rest of each.
function openSteps() {
  const element = (id) => document.getElementById(id);
  const index = JSON.parse(element("index").textContent);
  // Its text is not needed again.
  element("index").remove();
  const { first, kinds, nodes, plugins, nodePlugins, instances, chunks } = index;
  const count = index.took.length;

  // A column each, in as few bytes as its numbers need.
  const time = new Float64Array(count);
  let now = 0;
  index.time.forEach((passed, step) => (time[step] = now += passed));
  const took = Float64Array.from(index.took);
  const kind = Uint8Array.from(index.kind);
  const node = Int32Array.from(index.node);
  const instance = Int32Array.from(index.instance);
  const hasProblem = new Uint8Array(count);
  for (const step of index.problems) hasProblem[step] = 1;

  // The latest few chunks. The first line of one has the tables of its steps; each other line is a
  // step, which is parsed when it is needed.
  const open = new Map();
  function chunk(number) {
    let found = open.get(number);
    if (found) {
      open.delete(number);
    } else {
      const [tables, ...steps] = element("chunk-" + number).textContent.split("\n");
      found = { ...JSON.parse(tables), steps: steps, start: chunks[number] };
      if (open.size >= 8) open.delete(open.keys().next().value);
    }
    open.set(number, found);
    return found;
  }

  // The number of the last value that is not above the wanted one; -1 if there is none.
  function lastAtMost(wanted, values) {
    let low = 0;
    let high = values.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[middle] <= wanted) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  function details(step) {
    const found = chunk(lastAtMost(step, chunks));
    return [JSON.parse(found.steps[step - found.start]), found];
  }

  // What was typed for a step, and what it was.
  function text(step, parsed = details(step)[0]) {
    const { line, text } = parsed;
    if (line === undefined) return text;
    return text === "" || text === line ? "> " + line : "> " + line + "  " + text;
  }

  return {
    count, first, kinds, nodes, plugins, nodePlugins, instances,
    time, took, kind, node, instance, hasProblem, lastAtMost, text,
    // What the index does not have of a step.
    details(step) {
      const [parsed, { lines, screens, paths }] = details(step);
      const screen = (number) => screens[number].map((line) => lines[line]);
      return {
        text: text(step, parsed),
        problem: parsed.problem ?? "",
        before: screen(parsed.screens[0]),
        after: screen(parsed.screens[1]),
        path: paths[parsed.path].map((number) => nodes[number]),
        changes: parsed.changes ?? [],
      };
    },
    // The node and instance of a step, such as `editor #2.0`.
    place(step) {
      if (node[step] < 0) return "";
      return nodes[node[step]] + (instance[step] < 0 ? "" : " #" + instances[instance[step]]);
    },
    duration(step) {
      const value = took[step];
      return value < 1000 ? Math.round(value) + " µs" : (value / 1000).toFixed(1) + " ms";
    },
  };
}
