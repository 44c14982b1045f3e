/// What must be equal between the SDK that a plugin was built against and the host's.
///
/// A plugin that was compiled against another build of the SDK loads without complaint and reads
/// wrong memory. So each build of the SDK defines one symbol whose name says which build it is,
/// and each plugin asks for the symbol of the build it was compiled against: the comparison needs
/// the file's symbol table only.
public struct Contract: Hashable, Sendable {
  /// The symbol's name, which is what is compared.
  public let symbol: String
  /// The version of the SDK, such as `0.1.0`.
  public let sdkVersion: String
  /// The version of the Swift compiler, such as `6.3.1`.
  public let compiler: String
  /// 16 hexadecimal digits over the sources of the SDK and how it was built.
  public let digest: String
  /// How the side that names it was compiled, where that is known; it is shown, and not compared.
  public var configuration: BuildConfiguration?

  static let prefix: StaticString = "appcore_contract_sdk_"

  /// Reads a symbol such as `appcore_contract_sdk_0_1_0_swift_6_3_1_87950231f783b149`.
  ///
  /// - Returns: `nil` when the name is not a contract's.
  public init?(symbol: String) {
    let prefix = "\(Self.prefix)"
    guard symbol.hasPrefix(prefix) else { return nil }
    let rest = symbol.dropFirst(prefix.count)
    guard let middle = rest.firstRange(of: "_swift_"),
      let last = rest.lastIndex(of: "_"), last >= middle.upperBound
    else { return nil }
    let digest = rest[rest.index(after: last)...]
    let sdkVersion = rest[..<middle.lowerBound]
    let compiler = rest[middle.upperBound..<last]
    guard digest.count == 16, digest.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      !sdkVersion.isEmpty, !compiler.isEmpty
    else { return nil }
    self.symbol = symbol
    self.sdkVersion = Self.version(sdkVersion)
    self.compiler = Self.version(compiler)
    self.digest = String(digest)
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
    "SDK \(sdkVersion), Swift \(compiler), digest \(digest)"
      + (configuration.map { ", \($0.rawValue)" } ?? "")
  }
}
