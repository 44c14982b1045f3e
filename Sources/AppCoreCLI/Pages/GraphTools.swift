/// Markup that the pages of graphs and of recordings share.
///
/// Its script is `graph.js`.
enum GraphTools {
  /// The buttons that change the size of the graph.
  static let size = """
    <div class="tools" role="group" aria-label="Size">
    <button id="smaller" aria-label="Smaller">−</button>
    <span id="size">100 %</span>
    <button id="larger" aria-label="Larger">+</button>
    <button id="fit">Fit</button>
    </div>

    """

  /// What the kinds of lines mean.
  static let legend = """
    <div class="legend" role="note" aria-label="Lines of the graph">
    \(sample("way", "push, replace, reset, popTo, select"))\
    \(sample("dialog", "present"))\
    \(sample("notice", "notify"))\
    \(sample("part", "tab, background"))\
    </div>

    """

  private static func sample(_ kind: String, _ meaning: String) -> String {
    """
    <span><svg class="graph" viewBox="0 0 28 12" aria-hidden="true">\
    <path class="line \(kind)" d="M0 6H28"/></svg>\(meaning)</span>

    """
  }
}
