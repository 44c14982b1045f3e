internal import Diagnostics

extension Manifest.Expression.Reference {
  /// The reference as it is written: `$.a.b`, `$vars.x`, `$dir`.
  public var text: String {
    switch self {
    case .payload(let fields): "$" + fields.map { ".\($0.value)" }.joined()
    case .variable(let name): "$vars.\(name)"
    case .directory: "$dir"
    }
  }
}
