internal import AppCore

/// The SDK of a host, as plugins have to agree with it.
public struct HostSDK: Hashable, Sendable {
  /// What plugins have to agree with.
  public let contract: Contract
  /// Its version, such as `0.2.0`.
  public let version: String
  /// 16 hexadecimal digits over its sources: what is remembered of plugins is forgotten with it.
  public let digest: String
  /// How it was compiled; plugins may differ in it.
  public let configuration: BuildConfiguration

  /// The SDK that this process has loaded.
  public static let current: HostSDK = {
    guard let contract = Contract(symbol: SDK.contractSymbol) else {
      // The SDK's build makes the symbol; a test reads it back.
      preconditionFailure("the SDK names its contract '\(SDK.contractSymbol)', which can't be read")
    }
    return HostSDK(
      contract: contract, version: SDK.version, digest: SDK.sourcesDigest,
      configuration: BuildConfiguration(rawValue: SDK.configuration) ?? .release)
  }()

  /// Describes an SDK.
  public init(
    contract: Contract, version: String, digest: String, configuration: BuildConfiguration
  ) {
    self.contract = contract
    self.version = version
    self.digest = digest
    self.configuration = configuration
  }
}

extension HostSDK: CustomStringConvertible {
  /// The SDK as messages show it.
  public var description: String { "SDK \(version), \(contract), \(configuration.rawValue)" }
}
