/// A value that a dump shows by its description, not by its stored properties.
protocol DumpedAsText: CustomStringConvertible {}

extension Duration: DumpedAsText {}
extension Instant: DumpedAsText {}
extension UniqueID: DumpedAsText {}
extension StackElementID: DumpedAsText {}

/// Formats values for people, one line for each part, so that two dumps can be compared line by
/// line.
@_spi(Host)
public enum StateDump {
  /// The maximum depth of a dump; deeper values are shown as `…`.
  public static let readableDepth = 24
  private static let maximumLines = 10_000

  /// The value as lines, nested parts indented.
  public static func lines(_ value: Any, depth: Int = readableDepth) -> [String] {
    var dump = Dump(maximumDepth: depth)
    dump.write(value, prefix: "", suffix: "", depth: 0)
    return dump.isCut ? Array(dump.lines.prefix(maximumLines)) + ["…"] : dump.lines
  }

  /// The value on one line.
  public static func line(_ value: Any) -> String {
    var text = ""
    for line in lines(value) {
      let part = line.drop { $0 == " " }
      let isClosing = part.first == ")" || part.first == "]"
      let isOpening = text.last == "(" || text.last == "["
      if !text.isEmpty, !isClosing, !isOpening { text += " " }
      text += part
    }
    return text
  }

  private struct Dump {
    let maximumDepth: Int
    var lines: [String] = []
    /// Whether the value has more parts than are shown.
    var isCut = false

    mutating func write(_ value: Any, prefix: String, suffix: String, depth: Int) {
      // Don't look further: a large or cyclic value would take forever.
      guard lines.count < StateDump.maximumLines else {
        isCut = true
        return
      }
      let indent = String(repeating: "  ", count: depth)
      func add(_ text: String, to lines: inout [String]) {
        lines.append(indent + prefix + text + suffix)
      }
      if let text = scalar(value) { return add(text, to: &lines) }
      let mirror = Mirror(reflecting: value)
      if mirror.displayStyle == .optional {
        guard let child = mirror.children.first else { return add("nil", to: &lines) }
        return write(child.value, prefix: prefix, suffix: suffix, depth: depth)
      }
      guard depth < maximumDepth else { return add("…", to: &lines) }
      let children = ordered(mirror)
      let (open, close) = brackets(value, mirror)
      if children.isEmpty {
        return add(mirror.displayStyle == .enum ? "\(open)" : open + close, to: &lines)
      }
      lines.append(indent + prefix + open)
      for (index, child) in children.enumerated() {
        let isLast = index + 1 == children.count
        write(
          child.value, prefix: child.label.map { "\($0): " } ?? "", suffix: isLast ? "" : ",",
          depth: depth + 1)
        guard !isCut else { break }
      }
      lines.append(indent + close + suffix)
    }

    private func scalar(_ value: Any) -> String? {
      switch value {
      case let text as String: text.debugDescription
      case let text as Substring: text.debugDescription
      case let number as any BinaryInteger: "\(number)"
      case let number as any BinaryFloatingPoint: "\(number)"
      case let flag as Bool: "\(flag)"
      case let secret as any Redacted: secret.debugDescription
      case let text as any DumpedAsText: "\(text)"
      default: nil
      }
    }

    /// The parts; sets and dictionaries sorted by their text, so that a dump is always the same.
    private func ordered(_ mirror: Mirror) -> [(label: String?, value: Any)] {
      let children = mirror.children.map { child in
        (
          label: child.label.map { $0.hasPrefix("_") ? String($0.dropFirst()) : $0 },
          value: child.value
        )
      }
      switch mirror.displayStyle {
      case .set, .dictionary: return children.sorted { "\($0.value)" < "\($1.value)" }
      case .enum: return payload(of: children)
      case .tuple:
        return children.map { child in
          (label: child.label?.hasPrefix(".") == true ? nil : child.label, value: child.value)
        }
      default: return children
      }
    }

    /// The values of an enum's case, without the tuple around them.
    private func payload(
      of children: [(label: String?, value: Any)]
    ) -> [(label: String?, value: Any)] {
      guard let child = children.first else { return [] }
      let inner = Mirror(reflecting: child.value)
      guard inner.displayStyle == .tuple else { return [(nil, child.value)] }
      return inner.children.map { ($0.label?.hasPrefix(".") == true ? nil : $0.label, $0.value) }
    }

    private func brackets(_ value: Any, _ mirror: Mirror) -> (String, String) {
      switch mirror.displayStyle {
      case .collection, .set, .dictionary: ("[", "]")
      case .tuple: ("(", ")")
      case .enum:
        mirror.children.first.map { (".\($0.label ?? "")(", ")") } ?? (".\(value)", "")
      default: ("\(mirror.subjectType)(", ")")
      }
    }
  }
}
