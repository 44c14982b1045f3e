@_spi(Host) internal import AppCore

/// Writes JSON on one line, with fields in the order of the calls.
///
/// Strings are escaped as the SDK escapes those of values, so that the JSON is as safe to show on a
/// terminal as a screen is.
public struct JSONWriter: Sendable {
  /// What has been written.
  public private(set) var text = ""
  private var needsComma = false

  /// Creates a writer with an empty text.
  public init() {}

  /// Begins an object, as the value of the field `key` if that is given.
  public mutating func beginObject(_ key: StaticString? = nil) { begin("{", key) }
  public mutating func endObject() { end("}") }
  /// Begins an array, as the value of the field `key` if that is given.
  public mutating func beginArray(_ key: StaticString? = nil) { begin("[", key) }
  public mutating func endArray() { end("]") }

  public mutating func string(_ value: String, _ key: StaticString? = nil) {
    lead(key)
    Value.string(value).write(to: &text)
  }

  /// Writes a string, or `null`.
  public mutating func optional(_ value: String?, _ key: StaticString? = nil) {
    if let value { string(value, key) } else { null(key) }
  }

  public mutating func int(_ value: Int, _ key: StaticString? = nil) {
    lead(key)
    text += String(value)
  }

  /// Writes a number, without a decimal point if it is whole; `null` if it is infinite or NaN.
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

  /// Writes a text that is JSON already, on one line.
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
