internal import AppCore

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
    contract: .host, version: SDK.version, digest: SDK.sourcesDigest,
    configuration: BuildConfiguration(rawValue: SDK.configuration) ?? .release)

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
