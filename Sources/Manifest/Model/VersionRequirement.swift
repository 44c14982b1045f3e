/// A requirement on a version, as in `>=1.0 <2`.
///
/// A requirement is one or more comparisons, separated by spaces, that must all hold. Without an
/// operator the version must be equal. Missing numbers count as 0: `1` is `1.0.0`.
public struct VersionRequirement: Hashable, Sendable {
  /// A comparison with a version.
  public enum Operator: String, Hashable, Sendable, CaseIterable {
    case atLeast = ">="
    case atMost = "<="
    case above = ">"
    case below = "<"
    case equal = "="
  }

  /// One comparison: an operator and the numbers of a version.
  public struct Comparison: Hashable, Sendable {
    public let `operator`: Operator
    /// The numbers, without trailing zeros.
    public let version: [Int]
  }

  /// The comparisons; all must hold.
  public let comparisons: [Comparison]
  public let text: String

  /// Parses a requirement; `nil` if the text is not a valid one.
  public init?(_ text: String) {
    var comparisons: [Comparison] = []
    for word in text.split(separator: " ") {
      let found = Operator.allCases.first { word.hasPrefix($0.rawValue) }
      let number = found.map { word.dropFirst($0.rawValue.count) } ?? word
      guard let version = Self.numbers(of: number) else { return nil }
      comparisons.append(Comparison(operator: found ?? .equal, version: version))
    }
    guard !comparisons.isEmpty else { return nil }
    self.comparisons = comparisons
    self.text = text
  }

  /// Whether a version such as `1.4.2` meets the requirement; `nil` if the text is not a version.
  public func allows(_ version: String) -> Bool? {
    guard let numbers = Self.numbers(of: version[...]) else { return nil }
    return comparisons.allSatisfy { comparison in
      let isBelow = numbers.lexicographicallyPrecedes(comparison.version)
      let isEqual = numbers == comparison.version
      return switch comparison.operator {
      case .atLeast: !isBelow
      case .atMost: isBelow || isEqual
      case .above: !isBelow && !isEqual
      case .below: isBelow
      case .equal: isEqual
      }
    }
  }

  /// Whether a text is a version such as `1.4.2`: numbers and points.
  static func isVersion(_ text: String) -> Bool { numbers(of: text[...]) != nil }

  private static func numbers(of text: Substring) -> [Int]? {
    var numbers: [Int] = []
    for part in text.split(separator: ".", omittingEmptySubsequences: false) {
      guard part.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let number = Int(part) else {
        return nil
      }
      numbers.append(number)
    }
    while numbers.last == 0 { numbers.removeLast() }
    return numbers
  }
}
