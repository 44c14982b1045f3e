// The page of `appcore graph --html`.
{
  const byID = (id) => document.getElementById(id);
  const graph = openGraph(byID("picture"));
  const search = byID("search");
  let found = [];
  search.addEventListener("input", () => {
    const words = search.value.trim().toLowerCase();
    found = graph.find(words);
    byID("found").textContent =
      words === "" ? "" : found.length + (found.length === 1 ? " node" : " nodes");
  });
  search.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && found.length > 0) graph.focus(found[0]);
    if (event.key === "Escape") {
      search.value = "";
      search.dispatchEvent(new Event("input"));
    }
  });

  function open() {
    let name = location.hash.slice(1);
    try {
      name = decodeURIComponent(name);
    } catch {
      // A fragment that somebody typed: taken as it is.
    }
    graph.focus(name);
  }
  window.addEventListener("hashchange", open);
  byID("picture").addEventListener("focusin", (event) => {
    const box = event.target.closest(".node");
    if (box) history.replaceState(null, "", "#" + encodeURIComponent(box.dataset.node));
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    if (event.target !== search && event.key === "/") {
      search.focus();
      event.preventDefault();
    }
  });
  open();
}
