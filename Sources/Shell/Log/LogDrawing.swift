@_spi(Host) public import AppCore
public import Support

/// A drawing of a log: its entries, each with its results below it.
public struct LogDrawing: Sendable {
  public struct Entry: Sendable {
    public let origin: String
    /// The name of its instance; empty if there is none.
    public let owner: String
    public let text: String
    /// How long it took, in microseconds; `nil` if it has no duration.
    public let microseconds: Double?
    public let notes: [Note]

    public init(
      origin: String, owner: String = "", text: String, microseconds: Double? = nil,
      notes: [Note] = []
    ) {
      self.origin = origin
      self.owner = owner
      self.text = text
      self.microseconds = microseconds
      self.notes = notes
    }
  }

  public struct Note: Sendable {
    public let text: String
    public let isFailure: Bool

    public init(_ text: String, isFailure: Bool = false) {
      self.text = text
      self.isFailure = isFailure
    }
  }

  public let entries: [Entry]

  public init(_ entries: [Entry]) { self.entries = entries }

  /// The drawing as lines: origin, owner, time and text in columns, with indented notes below.
  public func lines(width: Int, style: Style) -> [String] {
    let width = max(width, 20)
    if style.isLinear { return entries.flatMap(linear) }
    let origin = entries.map { DisplayWidth.of(SafeText.line($0.origin)) }.max() ?? 0
    let owner = min(
      entries.map { DisplayWidth.of(SafeText.line($0.owner)) }.max() ?? 0, max(width / 4, 8))
    // A minimum width for times, which vary from run to run: the columns should not.
    let longest = entries.map { DisplayWidth.of(Self.time($0)) }.max() ?? 0
    let time = longest == 0 ? 0 : max(longest, "1.25 ms".count)
    let room = width - origin - owner - time - 6
    return entries.flatMap { entry -> [StyledLine] in
      let text = SafeText.line(entry.text)
      let label = StyledLine(TextLayout.pad(SafeText.line(entry.origin), to: origin), .dim)
      let whose = TextLayout.truncate(SafeText.line(entry.owner), to: owner)
      let duration = StyledLine(TextLayout.pad(Self.time(entry), to: time, trailing: true), .dim)
      var lines: [StyledLine]
      if room >= 16 {
        let columns = [label, StyledLine(TextLayout.pad(whose, to: owner)), duration]
        let head = columns.reduce(StyledLine()) { $0 + ($1.width > 0 ? $1 + StyledLine("  ") : $1) }
        lines = [head + StyledLine(TextLayout.truncate(text, to: room))]
      } else {
        // Too narrow for columns: the text is put on the next line.
        let below = entry.owner.isEmpty ? text : whose + " " + text
        lines = [
          label + StyledLine("  ") + duration,
          StyledLine("  " + TextLayout.truncate(below, to: width - 2)),
        ]
      }
      for note in entry.notes {
        let role: Role = note.isFailure ? .error : .dim
        lines += StyledLine.hanging(
          StyledLine(note.isFailure ? "  ✗ " : "  → ", role),
          StyledLine.wrap(SafeText.paragraph(note.text), to: width - 4, role))
      }
      return lines
    }.map { $0.text(style) }
  }

  private func linear(_ entry: Entry) -> [String] {
    let parts = [entry.origin, entry.owner, entry.text, Self.time(entry)]
    return [parts.map(SafeText.line).filter { !$0.isEmpty }.joined(separator: ", ")]
      + entry.notes.map { ($0.isFailure ? "  Failed: " : "  Then: ") + SafeText.line($0.text) }
  }

  private static func time(_ entry: Entry) -> String {
    entry.microseconds.map { NumberText.time(microseconds: $0) } ?? ""
  }
}

/// A drawing of a table of the kinds of actions: how often each was reduced and how long that took.
package struct TimesDrawing {
  /// One kind of action, with its times in microseconds.
  package typealias Row = (action: String, count: Int, total: Double, mean: Double, longest: Double)

  private static let titles = ["count", "total", "mean", "longest", "action"]
  private let cells: [[String]]

  /// Creates a table of rows, which are shown in this order.
  package init(_ rows: [Row]) {
    cells = rows.map { row in
      ["\(row.count)"] + [row.total, row.mean, row.longest].map(NumberText.time)
        + [SafeText.line(row.action)]
    }
  }

  /// The table as lines: as sentences for linear text, and with the numbers below each name if
  /// there is no room for columns.
  package func lines(width: Int, style: Style) -> [String] {
    let width = max(width, 20)
    if style.isLinear { return cells.map { "\($0[4]): \(numbers($0))" } }
    let table = [Self.titles] + cells
    let widths = Self.titles.indices.dropLast().map { column in
      table.map { DisplayWidth.of($0[column]) }.max() ?? 0
    }
    let room = width - widths.reduce(0) { $0 + $1 + 2 }
    guard room >= 24 else {
      return cells.flatMap { cells in
        [StyledLine(TextLayout.truncate(cells[4], to: width))]
          + StyledLine.wrap(numbers(cells), to: width - 2, .dim).map { StyledLine("  ") + $0 }
      }.map { $0.text(style) }
    }
    return table.enumerated().map { index, cells in
      var line = StyledLine()
      for (cell, width) in zip(cells, widths) {
        line.append(
          TextLayout.pad(cell, to: width, trailing: true) + "  ", index == 0 ? .strong : .dim)
      }
      line.append(TextLayout.truncate(cells[4], to: room), index == 0 ? .strong : .plain)
      return line.text(style)
    }
  }

  private func numbers(_ cells: [String]) -> String {
    "\(cells[0])×, total \(cells[1]), mean \(cells[2]), longest \(cells[3])"
  }
}

/// A drawing of a state as a tree, with its changes since an earlier state.
///
/// Of long lists only the first elements are shown, with the number of the others.
public struct StateDrawing: Sendable {
  private let value: Value
  private let before: Value?
  /// The maximum number of parts of a list or object that are shown, and the maximum depth.
  private static let longest = 50
  private static let deepest = 24

  /// Creates a drawing; without an earlier state no changes are marked.
  public init(_ value: Value, before: Value? = nil) {
    self.value = value
    self.before = before
  }

  /// The tree as lines; a change is marked with `*` and shows the earlier value.
  public func lines(width: Int, style: Style) -> [String] {
    var tree = Tree(width: max(width, 20), isLinear: style.isLinear)
    tree.add(nil, value, before.map(Old.value) ?? .unknown, depth: 0)
    return tree.lines.map { $0.text(style) }
  }

  /// The earlier value at a path.
  private enum Old {
    case unknown
    case nothing
    case value(Value)
  }

  private struct Tree {
    let width: Int
    let isLinear: Bool
    var lines: [StyledLine] = []

    mutating func add(_ name: String?, _ value: Value, _ old: Old, depth: Int) {
      let parts = StateDrawing.parts(of: value)
      if name != nil || parts.isEmpty || depth >= StateDrawing.deepest {
        line(name, StateDrawing.summary(value), note(value, old), depth)
      }
      guard !parts.isEmpty, depth < StateDrawing.deepest else { return }
      let inner = name == nil ? depth : depth + 1
      for (part, element) in parts.prefix(StateDrawing.longest) {
        add(part, element, StateDrawing.part(part, of: old), depth: inner)
      }
      if parts.count > StateDrawing.longest {
        line(nil, "… \(parts.count - StateDrawing.longest) more", nil, inner)
      }
      if case .object(let fields) = value, case .value(.object(let earlier)) = old {
        for name in earlier.keys.sorted() where fields[name] == nil {
          line(name, "gone", "was " + StateDrawing.summary(earlier[name] ?? .null), inner)
        }
      }
    }

    private func note(_ value: Value, _ old: Old) -> String? {
      switch old {
      case .unknown: return nil
      case .nothing: return "new"
      case .value(let old):
        switch (value, old) {
        case (.array(let new), .array(let old)) where !new.isEmpty || old.isEmpty:
          return new.count == old.count ? nil : "was \(old.count) long"
        case (.object(let new), .object(let old)) where !new.isEmpty || old.isEmpty: return nil
        default: return value == old ? nil : "was " + StateDrawing.summary(old)
        }
      }
    }

    private mutating func line(_ name: String?, _ text: String, _ note: String?, _ depth: Int) {
      let indent = String(repeating: "  ", count: min(depth, 12))
      let label = name.map { SafeText.line($0) + ": " } ?? ""
      guard !isLinear else {
        let mark = note.map { " (changed, \($0))" } ?? ""
        lines.append(StyledLine(indent + label + text + mark))
        return
      }
      var line = StyledLine((note == nil ? "  " : "* ") + indent, .warning)
      line.append(label, note == nil ? .plain : .strong)
      let room = max(width - line.width, 8)
      line.append(TextLayout.truncate(text, to: room))
      if let note, width - line.width >= 8 {
        line.append(TextLayout.truncate("   ← " + note, to: width - line.width), .warning)
      }
      lines.append(line)
    }
  }

  /// The named parts of a list or an object.
  private static func parts(of value: Value) -> [(String, Value)] {
    switch value {
    case .array(let elements): elements.enumerated().map { ("\($0.offset)", $0.element) }
    case .object(let fields): fields.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    default: []
    }
  }

  private static func part(_ name: String, of old: Old) -> Old {
    switch old {
    case .unknown, .nothing: .unknown
    case .value(.object(let fields)): fields[name].map(Old.value) ?? .nothing
    case .value(.array(let elements)):
      Int(name).flatMap { elements.indices.contains($0) ? .value(elements[$0]) : nil } ?? .nothing
    // The earlier value was of another kind, which the enclosing line reports.
    case .value: .unknown
    }
  }

  private static func summary(_ value: Value) -> String {
    switch value {
    case .array(let elements): elements.isEmpty ? "[]" : "(\(elements.count))"
    case .object(let fields): fields.isEmpty ? "{}" : "{…}"
    default: value.json
    }
  }
}
