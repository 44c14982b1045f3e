@_spi(Host) internal import AppCore

/// Writes JSON on one line, fields in the order in which they come.
///
/// Strings are escaped as the SDK escapes those of values, so that JSON is as safe to show on a
/// terminal as a screen.
public struct JSONWriter: Sendable {
  /// What has been written.
  public private(set) var text = ""
  private var needsComma = false

  /// Creates a writer of nothing.
  public init() {}

  /// Begins an object, as the value of the field `key` where there is one.
  public mutating func beginObject(_ key: StaticString? = nil) { begin("{", key) }
  public mutating func endObject() { end("}") }
  /// Begins a list, as the value of the field `key` where there is one.
  public mutating func beginArray(_ key: StaticString? = nil) { begin("[", key) }
  public mutating func endArray() { end("]") }

  public mutating func string(_ value: String, _ key: StaticString? = nil) {
    lead(key)
    Value.string(value).write(to: &text)
  }

  /// The string, or `null`.
  public mutating func optional(_ value: String?, _ key: StaticString? = nil) {
    if let value { string(value, key) } else { null(key) }
  }

  public mutating func int(_ value: Int, _ key: StaticString? = nil) {
    lead(key)
    text += String(value)
  }

  /// The number; `null` where JSON has none for it, a whole one without a decimal point.
  public mutating func double(_ value: Double, _ key: StaticString? = nil) {
    lead(key)
    guard value.isFinite else { return text += "null" }
    text += Int(exactly: value).map(String.init) ?? String(value)
  }

  public mutating func bool(_ value: Bool, _ key: StaticString? = nil) {
    lead(key)
    text += value ? "true" : "false"
  }

  public mutating func null(_ key: StaticString? = nil) {
    lead(key)
    text += "null"
  }

  /// A value that is JSON already, on one line.
  public mutating func raw(_ json: String, _ key: StaticString? = nil) {
    lead(key)
    text += json
  }

  /// `string` as a JSON string.
  public static func quote(_ string: String) -> String { Value.string(string).json }

  private mutating func begin(_ bracket: String, _ key: StaticString?) {
    lead(key)
    text += bracket
    needsComma = false
  }

  private mutating func end(_ bracket: String) {
    text += bracket
    needsComma = true
  }

  private mutating func lead(_ key: StaticString?) {
    if needsComma { text += "," }
    needsComma = true
    if let key { text += "\"\(key)\":" }
  }
}
