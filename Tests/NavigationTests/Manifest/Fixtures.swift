import Foundation
import Manifest
import Support
internal import TestSupport

/// The manifests under `Tests/Fixtures`, found from where this file stands.
enum Fixtures {
  static let folder = packageFolder.appending(path: "Tests/Fixtures/manifests")

  /// The names of the manifests in a folder, sorted.
  ///
  /// A manifest in parts has a folder of its own, with the first file named like the folder.
  static func names(in kind: String) -> [String] {
    let files = try? FileManager.default.contentsOfDirectory(
      at: folder.appending(path: kind), includingPropertiesForKeys: nil)
    return (files ?? []).compactMap { file in
      let name = file.deletingPathExtension().lastPathComponent
      if file.pathExtension == "yaml" { return name }
      let first = file.appending(path: "\(name).yaml").path(percentEncoded: false)
      return FileManager.default.fileExists(atPath: first) ? "\(name)/\(name)" : nil
    }
    .sorted()
  }

  static func path(_ kind: String, _ name: String) -> String {
    folder.appending(path: "\(kind)/\(name).yaml").path(percentEncoded: false)
  }

  /// Loads a manifest in an environment that does not depend on where the tests run.
  static func load(_ kind: String, _ name: String) throws -> ManifestResult {
    try loader.load(path: path(kind, name))
  }

  static let loader = ManifestLoader(
    options: .init(environment: { $0 == "SHOP_SERVER" ? "https://shop.example" : nil }))

  /// What the command line would print, with paths that do not depend on the checkout.
  static func output(_ result: ManifestResult) -> String {
    DiagnosticRenderer(sources: result.sources).render(result.problems)
      .replacing(folder.path(percentEncoded: false) + "/", with: "")
  }
}
