internal import AppCoreHost
import Foundation
import Testing

/// An app of one plugin that is given by the folder of its sources, to be changed while it runs.
struct ReloadBench {
  let bench: Workbench
  private let sources: String

  init(_ sources: String, manifest: String) throws {
    bench = try Workbench()
    self.sources = sources
    try FileManager.default.createDirectory(
      atPath: bench.folder + "/Shop", withIntermediateDirectories: true)
    try bench.write(sources, to: "Shop/Shop.swift")
    try bench.write(manifest, to: "app.yaml")
  }

  /// The sources of a plugin `Shop`, with these declarations and features.
  static func plugin(
    version: String = "1.0.0", features: [String] = ["Cart"], _ declarations: String
  ) -> String {
    """
    import AppCore

    struct ShopPlugin: Plugin {
      static let name = "Shop"
      static let version = "\(version)"
      init(configuration: NoConfiguration) {}
      static func register(in registry: inout PluginRegistry<Self>) {
    \(features.map { "    registry.feature(\($0).self) { _ in \($0)() }" }.joined(separator: "\n"))
      }
    }

    @c(appcore_plugin_Shop)
    public func shop() -> UnsafeMutableRawPointer { export(ShopPlugin.self) }

    \(declarations)
    """
  }

  /// A manifest of one node that shows `Shop.Cart`.
  static let oneNode = """
    appcore: 1
    name: shop
    plugins: [{ path: ./Shop }]
    start: cart
    nodes:
      cart: { feature: Shop.Cart }

    """

  func launch() async throws -> App {
    try await App.launch(bench.folder + "/app.yaml", options: bench.options)
  }

  /// Writes the sources with `old` replaced by `new`, which must occur.
  func change(_ changes: (old: String, new: String)...) throws {
    var text = sources
    for (old, new) in changes {
      try #require(text.contains(old), "'\(old)' is not in the sources")
      text = text.replacingOccurrences(of: old, with: new)
    }
    try bench.write(text, to: "Shop/Shop.swift")
  }
}

extension App {
  /// What a person sees, as one text.
  func text() async -> String { readScreen(noticesAfter: eventCount).lines.joined(separator: "\n") }

  /// The log, as one text.
  func logText() -> String {
    actionRecords().map { record in
      ([record.text, record.refusal ?? ""] + record.events.map(\.text)).joined(separator: "\n")
    }.joined(separator: "\n")
  }
}
