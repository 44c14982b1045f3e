internal import AppCore
import Foundation

@testable import Manifest
@testable import Support

/// A manifest's text as a value, as editors hold it against a schema.
enum ManifestValue {
  /// The value of a file; `nil` where it is no YAML.
  static func of(_ path: String) throws -> Value? {
    of(bytes: Array(try Data(contentsOf: URL(fileURLWithPath: path))), path: path)
  }

  /// The value of a text; `nil` where it is no YAML.
  static func of(text: String) -> Value? { of(bytes: Array(text.utf8), path: "text") }

  private static func of(bytes: [UInt8], path: String) -> Value? {
    let source = SourceFile(path: path, bytes: bytes)
    var builder = TreeBuilder(source: source, file: 0, limits: ManifestLimits())
    guard let tree = builder.build() else { return nil }
    return value(0, of: tree)
  }

  private static func value(_ index: Int, of tree: Tree) -> Value {
    switch tree.entries[index].kind {
    case .mapping:
      var fields: [String: Value] = [:]
      for (key, value) in tree.pairs(of: index) {
        fields[tree.string(key)] = self.value(value, of: tree)
      }
      return .object(fields)
    case .sequence: return .array(tree.elements(of: index).map { value($0, of: tree) })
    case .scalar:
      switch Scalar(text: tree.string(index), isPlain: tree.entries[index].isPlain).resolved {
      case .null: return .null
      case .bool(let bool): return .bool(bool)
      case .int(let int): return .int(int)
      case .double(let double): return .double(double)
      case .string(let string): return .string(string)
      }
    case .alias, .invalid: return .null
    }
  }
}
