@_spi(Host) public import AppCore
public import Support

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
