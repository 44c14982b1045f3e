@_spi(Host) import AppCore
import Manifest
@_spi(Host) import Navigation
import Support

@_spi(Host) @testable import AppCheck

/// A part of a manifest that is right or wrong by itself: some lines, and the features that they use
/// of another plugin, `Q`.
struct ManifestPart {
  var nodes: [String] = []
  var routes: [String] = []
  var links: [String] = []
  var features: [FeatureInfo] = []
}

/// A manifest made of parts.
struct PartedManifest {
  let parts: [ManifestPart]
  /// What the plugin `P` is given, as YAML; `nil` for nothing.
  var configuration: String?

  /// What checking it says: the parts that have errors, and whether anything has.
  struct Result {
    let wrongParts: Set<Int>
    let errors: [String]
  }

  /// The text, and which part each of its lines is of.
  var text: (text: String, owners: [Int: Int]) {
    var lines = [
      "appcore: 1",
      "plugins: [{ name: P\(configuration.map { ", with: \($0)" } ?? "") }, Q]",
      "start: begin", "nodes:", "  begin: { feature: Q.Begin }",
    ]
    var owners: [Int: Int] = [:]
    func add(_ list: (ManifestPart) -> [String], _ heading: String?) {
      guard parts.contains(where: { !list($0).isEmpty }) else { return }
      if let heading { lines.append(heading) }
      for (index, part) in parts.enumerated() {
        for line in list(part) {
          lines.append("  " + line)
          owners[lines.count] = index
        }
      }
    }
    add(\.nodes, nil)
    add(\.routes, "routes:")
    add(\.links, "links:")
    return (lines.joined(separator: "\n") + "\n", owners)
  }

  /// Checks it with an interface of `P`.
  func check(_ interface: PluginInterface) -> Result {
    let (text, owners) = text
    let loaded = ManifestLoader(options: .init(environment: { _ in nil }))
      .load(Array(text.utf8), path: "test.yaml")
    var problems = loaded.problems
    if let manifest = loaded.manifest {
      var catalog = FeatureCatalog()
      catalog["P"] = .available(
        configuration: interface.info.configuration, features: interface.info.features)
      catalog["Q"] = .available(
        configuration: .object([]),
        features: [FeatureInfo(name: "Q.Begin")] + parts.flatMap(\.features))
      problems +=
        GraphBuilder.build(
          manifest, catalog: catalog,
          pluginNames: manifest.plugins.map { $0.reference.description },
          gaps: loaded.gaps
        ).problems
    }
    let errors = problems.filter { $0.severity == .error }
    return Result(
      wrongParts: Set(errors.compactMap { owners[$0.range.start.line] }),
      errors: errors.map { "\($0.range.start.line): \($0.message)" })
  }
}
