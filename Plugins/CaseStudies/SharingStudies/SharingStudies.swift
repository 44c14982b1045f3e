internal import AppCore

/// Sharing: values that several states read and change.
struct SharingStudies: Plugin {
  struct Configuration: Codable, Sendable {
    /// The absolute path of the file in which a study keeps its value.
    var file: String
  }

  static let name = "SharingStudies"
  static let version = "1.0.0"
  let file: String

  init(configuration: Configuration) { file = configuration.file }

  static func register(in registry: inout PluginRegistry<Self>) {
    registry.feature(Menu.self) { _ in Menu() }
    registry.feature(InMemoryCounter.self) { _ in InMemoryCounter() }
    registry.feature(InMemoryTotals.self) { _ in InMemoryTotals() }
    registry.feature(FileStorage.self) { FileStorage(file: $0.file) }
    registry.feature(Settings.self) { _ in Settings() }
    registry.feature(Readers.self) { _ in Readers() }
    registry.feature(SignUpAccount.self) { _ in SignUpAccount() }
    registry.feature(SignUpTopics.self) { _ in SignUpTopics() }
    registry.feature(SignUpSummary.self) { _ in SignUpSummary() }
  }
}

/// The plugin's entry point, which the host calls.
@c(appcore_plugin_SharingStudies)
public func sharingStudies() -> UnsafeMutableRawPointer { export(SharingStudies.self) }
