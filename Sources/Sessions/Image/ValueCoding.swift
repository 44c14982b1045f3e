internal import AppCore
internal import PluginHost

/// The maximum nesting of values, which are written and read recursively.
let valueDepthLimit = 1000

private enum ValueTag: UInt8 {
  case null, no, yes, int, double, string, array, object
}

extension Value {
  /// Whether the nesting of the value is less deep than `limit`.
  func isShallower(than limit: Int) -> Bool {
    guard limit > 0 else { return false }
    return switch self {
    case .array(let values): values.allSatisfy { $0.isShallower(than: limit - 1) }
    case .object(let fields): fields.values.allSatisfy { $0.isShallower(than: limit - 1) }
    default: true
    }
  }
}

extension ByteWriter {
  /// Writes a value, whose nesting must be less deep than ``valueDepthLimit``.
  mutating func write(_ value: Value) {
    switch value {
    case .null: byte(ValueTag.null.rawValue)
    case .bool(let flag): byte((flag ? ValueTag.yes : .no).rawValue)
    case .int(let integer):
      byte(ValueTag.int.rawValue)
      // Zigzag encoding: numbers near zero take few bytes, whatever their sign.
      number(UInt64(bitPattern: Int64(integer << 1 ^ integer >> 63)))
    case .double(let double):
      byte(ValueTag.double.rawValue)
      word(double.bitPattern)
    case .string(let text):
      byte(ValueTag.string.rawValue)
      string(text)
    case .array(let values):
      byte(ValueTag.array.rawValue)
      list(values) { $0.write($1) }
    case .object(let fields):
      byte(ValueTag.object.rawValue)
      list(fields) { writer, field in
        writer.string(field.key)
        writer.write(field.value)
      }
    }
  }
}

extension ByteReader {
  /// Reads a value; `nil` if the bytes are not one, or it is nested too deep.
  mutating func value(depth: Int = 0) -> Value? {
    guard depth < valueDepthLimit, let tag = byte().flatMap(ValueTag.init(rawValue:)) else {
      return nil
    }
    switch tag {
    case .null: return .null
    case .no: return .bool(false)
    case .yes: return .bool(true)
    case .int:
      return number().map {
        .int(Int(bitPattern: UInt($0 >> 1)) ^ -Int(truncatingIfNeeded: $0 & 1))
      }
    case .double: return word().map { .double(Double(bitPattern: $0)) }
    case .string: return string().map { .string($0) }
    case .array: return list { $0.value(depth: depth + 1) }.map { .array($0) }
    case .object:
      guard let count = count() else { return nil }
      var fields: [String: Value] = [:]
      for _ in 0..<count {
        guard let name = string(), let value = value(depth: depth + 1),
          fields.updateValue(value, forKey: name) == nil
        else { return nil }
      }
      return .object(fields)
    }
  }
}
