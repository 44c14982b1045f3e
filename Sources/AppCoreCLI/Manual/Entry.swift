internal import AppCore

/// Lenient access to a JSON object: missing fields, and fields of another type, are empty.
struct Entry {
  let value: Value

  init(_ value: Value?) { self.value = value ?? .null }

  subscript(name: String) -> Entry { Entry(value[name]) }

  func text(_ name: String) -> String {
    if case .string(let text) = value[name] { text } else { "" }
  }

  func number(_ name: String) -> Int {
    if case .int(let number) = value[name] { number } else { 0 }
  }

  func list(_ name: String) -> [Entry] {
    if case .array(let elements) = value[name] { elements.map { Entry($0) } } else { [] }
  }

  func texts(_ name: String) -> [String] {
    guard case .array(let elements) = value[name] else { return [] }
    return elements.compactMap { if case .string(let text) = $0 { text } else { nil } }
  }
}
