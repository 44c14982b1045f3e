internal import AppCore

/// YAML 1.2's core schema: the types of plain scalars.
enum CoreSchema {
  static func isNull(_ text: String) -> Bool {
    switch text {
    case "", "~", "null", "Null", "NULL": true
    default: false
    }
  }

  static func resolve(_ text: String) -> Value {
    if isNull(text) { return .null }
    switch text {
    case "true", "True", "TRUE": return .bool(true)
    case "false", "False", "FALSE": return .bool(false)
    default: break
    }
    guard let first = text.utf8.first, first < 0x3A else { return .string(text) }
    return number(text) ?? .string(text)
  }

  /// The meaning in YAML 1.1 of `yes`, `no`, `on`, `off`, `y` and `n`; `nil` for other words.
  static func oldBoolean(_ text: String) -> Bool? {
    switch text {
    case "yes", "Yes", "YES", "on", "On", "ON", "y", "Y": true
    case "no", "No", "NO", "off", "Off", "OFF", "n", "N": false
    default: nil
    }
  }

  private static func number(_ text: String) -> Value? {
    switch text {
    case ".nan", ".NaN", ".NAN": return .double(.nan)
    case ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF": return .double(.infinity)
    case "-.inf", "-.Inf", "-.INF": return .double(-.infinity)
    default: break
    }
    if text.hasPrefix("0x") { return unsigned(text.dropFirst(2), radix: 16) }
    if text.hasPrefix("0o") { return unsigned(text.dropFirst(2), radix: 8) }
    // So that no word of Swift's is a number, such as `-inf`.
    guard text.utf8.allSatisfy({ (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }) else {
      return nil
    }
    // An integer beyond Int is still a number.
    return Int(text).map { .int($0) } ?? Double(text).map { .double($0) }
  }

  private static func unsigned(_ digits: Substring, radix: Int) -> Value? {
    guard digits.utf8.first.map({ $0 != 0x2B && $0 != 0x2D }) ?? false else { return nil }
    return Int(digits, radix: radix).map { .int($0) }
  }
}
