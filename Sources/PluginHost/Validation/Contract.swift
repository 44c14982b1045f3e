/// What must be equal between the SDK that a plugin was built against and the host's: the epoch of the
/// SDK's binary interface, and the Swift compiler.
///
/// Within an epoch the SDK keeps what plugins are compiled against, and so a plugin outlives its
/// releases; a compiler of another version lays out values in its own way. Every plugin asks for a
/// symbol whose name holds both: the comparison needs the file's symbol table only.
public struct Contract: Hashable, Sendable {
  /// The symbol's name, which is what is compared.
  public let symbol: String
  /// The epoch, from 1; 0 stands for the releases before 0.2, each of which was an epoch of its own.
  public let epoch: Int
  /// The version of the Swift compiler, such as `6.3.1`.
  public let compiler: String

  static let prefix: StaticString = "appcore_contract_"

  /// Reads a symbol such as `appcore_contract_1_swift_6_3_1`.
  ///
  /// - Returns: `nil` when the name is not a contract's.
  public init?(symbol: String) {
    let prefix = "\(Self.prefix)"
    guard symbol.hasPrefix(prefix) else { return nil }
    let rest = symbol.dropFirst(prefix.count)
    guard let middle = rest.firstRange(of: "_swift_") else { return nil }
    let number = rest[..<middle.lowerBound]
    var compiler = rest[middle.upperBound...]
    if number.hasPrefix("sdk_") {
      // Of a release before 0.2: the SDK's version, the compiler's, and a digest of the sources.
      guard let last = compiler.lastIndex(of: "_") else { return nil }
      compiler = compiler[..<last]
      epoch = 0
    } else {
      guard let epoch = Int(number), epoch > 0, number.allSatisfy(\.isWholeNumber) else {
        return nil
      }
      self.epoch = epoch
    }
    guard compiler.first?.isNumber == true else { return nil }
    self.symbol = symbol
    self.compiler = Self.version(compiler)
  }

  /// A version as people write it: `6_3_1` is `6.3.1`, and `6_4_dev` is `6.4-dev`.
  private static func version(_ text: Substring) -> String {
    var result = ""
    for part in text.split(separator: "_") {
      if !result.isEmpty { result += part.first?.isNumber == true ? "." : "-" }
      result += part
    }
    return result
  }
}

extension Contract: CustomStringConvertible {
  /// The contract as messages show it.
  public var description: String {
    (epoch > 0 ? "epoch \(epoch)" : "before the first epoch") + ", Swift \(compiler)"
  }
}
