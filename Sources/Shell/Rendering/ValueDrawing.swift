@_spi(Host) internal import AppCore
internal import Support

/// Draws a value as indented JSON, with sorted keys.
enum ValueDrawing {
  static func lines(_ value: Value) -> [String] {
    var lines = [""]
    write(value, indent: 0, to: &lines)
    return lines
  }

  private static func write(_ value: Value, indent: Int, to lines: inout [String]) {
    let margin = String(repeating: " ", count: min(indent + 1, 40) * 2)
    let close = String(repeating: " ", count: min(indent, 40) * 2)
    switch value {
    // Deeper than anyone can read: on one line, by the SDK's own writer.
    case _ where indent >= 64: lines[lines.count - 1] += value.json
    case .array(let elements) where !elements.isEmpty:
      lines[lines.count - 1] += "["
      for (index, element) in elements.enumerated() {
        lines.append(margin)
        write(element, indent: indent + 1, to: &lines)
        if index + 1 < elements.count { lines[lines.count - 1] += "," }
      }
      lines.append(close + "]")
    case .object(let fields) where !fields.isEmpty:
      lines[lines.count - 1] += "{"
      let names = fields.keys.sorted()
      for (index, name) in names.enumerated() {
        lines.append(margin + JSONWriter.quote(name) + ": ")
        write(fields[name] ?? .null, indent: indent + 1, to: &lines)
        if index + 1 < names.count { lines[lines.count - 1] += "," }
      }
      lines.append(close + "}")
    case .string(let text): lines[lines.count - 1] += JSONWriter.quote(text)
    default: lines[lines.count - 1] += value.json
    }
  }
}
