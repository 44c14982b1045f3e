internal import AppCore

/// The requirements that the SDK of a plugin's build and the host's SDK must share: the epoch of
/// the SDK's binary interface, and the version of the Swift compiler.
///
/// Within an epoch the SDK keeps everything that plugins are compiled against, so that a plugin
/// works with later releases; a compiler of another version may lay out values differently. Every
/// plugin imports a symbol whose name contains both, so the comparison only needs the file's symbol
/// table.
public struct Contract: Hashable, Sendable {
  /// The symbol's name; two contracts match if their names are equal.
  public let symbol: String
  /// The epoch, from 1; 0 for releases before 0.2, each of which was an epoch of its own.
  public let epoch: Int
  /// The version of the Swift compiler, such as `6.3.1`.
  public let compiler: String

  static let prefix: StaticString = "appcore_contract_"
}

extension Contract {
  /// Reads a symbol such as `appcore_contract_1_swift_6_3_1`.
  ///
  /// - Returns: `nil` if the name is not a contract's.
  public init?(symbol: String) {
    let prefix = "\(Self.prefix)"
    guard symbol.hasPrefix(prefix) else { return nil }
    let rest = symbol.dropFirst(prefix.count)
    guard let middle = rest.firstRange(of: "_swift_") else { return nil }
    let number = rest[..<middle.lowerBound]
    var compiler = rest[middle.upperBound...]
    var epoch = 0
    if number.hasPrefix("sdk_") {
      // Of a release before 0.2: the SDK's version, the compiler's, and a digest of the sources.
      guard let last = compiler.lastIndex(of: "_") else { return nil }
      compiler = compiler[..<last]
    } else {
      guard let number = Int(number), number > 0, !rest.hasPrefix("+") else { return nil }
      epoch = number
    }
    guard compiler.first?.isNumber == true else { return nil }
    self.init(symbol: symbol, epoch: epoch, compiler: Self.version(compiler))
  }

  /// The symbol without what all of them begin with, such as `1_swift_6_3_1`.
  package var lockName: String { String(symbol.dropFirst("\(Self.prefix)".count)) }

  /// Reads such a name; `nil` when it is not a contract's.
  package init?(lockName: String) { self.init(symbol: "\(Self.prefix)" + lockName) }

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

/// The SDK of a host, with which plugins must be compatible.
public struct HostSDK: Hashable, Sendable {
  /// The contract that plugins must have, too.
  public let contract: Contract
  /// Its version, such as `0.2.0`.
  public let version: String
  /// The digest of its sources as 16 hexadecimal digits; cached scans are valid for one digest.
  public let digest: String
  /// The configuration that it was compiled for; that of plugins may differ.
  public let configuration: BuildConfiguration

  /// The SDK that this process has loaded.
  public static let current = HostSDK(
    contract: Contract(
      symbol: SDK.contractSymbol, epoch: SDK.epoch, compiler: SDK.compilerVersion),
    version: SDK.version, digest: SDK.sourcesDigest,
    configuration: BuildConfiguration(rawValue: SDK.configuration) ?? .release)
}

extension HostSDK: CustomStringConvertible {
  /// The SDK as messages show it.
  public var description: String { "SDK \(version), \(contract), \(configuration.rawValue)" }
}
