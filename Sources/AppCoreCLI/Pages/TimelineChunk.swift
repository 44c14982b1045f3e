internal import Support

/// Consecutive steps of a page, with the tables that they share.
///
/// Its first line of JSON has the tables: lines of screens, screens as numbers of lines, and paths
/// as numbers of nodes. Each other line is a step, so that the page can parse one without the rest.
struct TimelineChunk {
  /// The most steps of a chunk.
  static let countLimit = 200
  /// A chunk with more bytes gets no further step: the page reads a chunk within a frame.
  static let sizeLimit = 200_000
  /// The most bytes of one text that are shown.
  static let textLimit = 20_000
  /// The most bytes of a step's changes that are shown.
  static let changesLimit = 200_000
  /// The most lines of a screen that are shown.
  static let screenLimit = 1000

  /// The columns of the index, with -1 for a step without a node or instance.
  private(set) var times: [Int] = []
  private(set) var took: [Int] = []
  private(set) var kinds: [Int] = []
  private(set) var nodes: [Int] = []
  private(set) var instances: [Int] = []
  /// The steps with a problem, counted from 0.
  private(set) var problems: [Int] = []
  /// The size in bytes, about that of ``json``.
  private(set) var size = 0

  private var lines = Numbering<String>()
  private var screens = Numbering<[Int]>()
  private var paths = Numbering<[Int]>()
  /// The number of the latest screen.
  private var screen = 0
  private var steps = ""

  /// Creates a chunk without steps, after a screen.
  init(after screen: [String]) { self.screen = number(ofScreen: screen) }

  var count: Int { times.count }

  var isFull: Bool { count >= Self.countLimit || size >= Self.sizeLimit }

  /// Adds a step; its kind, node, instance and path are given as numbers of the page's tables.
  mutating func add(
    _ step: TimelinePage.Step, kind: Int, node: Int?, instance: Int?, path: [Int]
  ) {
    if step.problem != nil { problems.append(count) }
    times.append(step.time)
    took.append(step.took)
    kinds.append(kind)
    nodes.append(node ?? -1)
    instances.append(instance ?? -1)
    var fields: [(name: String, value: JSONTree)] = []
    if let line = step.line { fields.append(("line", .string(SafeText.line(Self.cut(line))))) }
    fields.append(("text", .string(SafeText.line(Self.cut(step.text)))))
    if let problem = step.problem {
      fields.append(("problem", .string(SafeText.line(Self.cut(problem)))))
    }
    let before = screen
    screen = number(ofScreen: step.screen)
    fields.append(("screens", JSONTree([before, screen])))
    fields.append(("path", .int(paths.number(of: path))))
    if !step.changes.isEmpty { fields.append(("changes", Self.tree(step.changes))) }
    let json = JSONTree.object(fields).line
    steps += "\n" + json
    size += json.utf8.count
  }

  private static func tree(
    _ changes: [(field: String, before: String?, after: String?)]
  ) -> JSONTree {
    var size = 0
    var trees: [JSONTree] = []
    for (index, change) in changes.enumerated() {
      guard size < changesLimit else {
        return .array(trees + [.array([.string("… \(changes.count - index) more"), .null, .null])])
      }
      let cells = JSONTree.array([
        .string(SafeText.line(cut(change.field))),
        JSONTree(change.before.map { SafeText.text(cut($0)) }),
        JSONTree(change.after.map { SafeText.text(cut($0)) }),
      ]).line
      size += cells.utf8.count + 1
      trees.append(.raw(cells))
    }
    return .array(trees)
  }

  private mutating func number(ofScreen screen: [String]) -> Int {
    var shown = screen.prefix(Self.screenLimit).map { SafeText.line(Self.cut($0)) }
    if screen.count > shown.count { shown.append("… \(screen.count - shown.count) more lines") }
    let lineCount = lines.values.count
    let screenCount = screens.values.count
    let numbers = shown.map { lines.number(of: $0) }
    let number = screens.number(of: numbers)
    for line in lines.values[lineCount...] { size += line.utf8.count + 3 }
    // A number and its comma.
    if screens.values.count > screenCount { size += 4 * numbers.count }
    return number
  }

  /// The beginning of a text that is too long to be looked at.
  private static func cut(_ text: String) -> String {
    guard text.utf8.count > textLimit else { return text }
    let end = text.utf8.index(text.utf8.startIndex, offsetBy: textLimit)
    // Not by characters: one may have a million marks.
    return String(text.unicodeScalars[..<end]) + "… (\(text.utf8.count) bytes)"
  }

  /// The tables, and then the steps, a line each.
  var json: String {
    let tables: JSONTree = [
      "lines": JSONTree(lines.values), "screens": .array(screens.values.map { JSONTree($0) }),
      "paths": .array(paths.values.map { JSONTree($0) }),
    ]
    return tables.line + steps
  }
}
