package import Manifest
internal import Support

/// The names that a manifest gives, for completing them: read without loading any plugin.
public struct ManifestNames: Sendable {
  /// A name, and what it is in a few words.
  public struct Name: Hashable, Sendable {
    public let name: String
    public let detail: String
  }

  /// The nodes, with their features.
  public private(set) var nodes: [Name] = []
  /// The links, with their parameters in braces.
  public private(set) var links: [Name] = []
  public private(set) var plugins: [Name] = []
  public private(set) var variables: [Name] = []

  /// Reads what can be read of a manifest; nothing where there is none.
  public init(manifest path: String) {
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    self.init((try? loader.load(path: path))?.manifest)
  }

  package init(_ manifest: Manifest?) {
    guard let manifest else { return }
    nodes = manifest.nodes.map { Name(name: $0.name.value, detail: $0.title?.value ?? "") }
    links = manifest.links.map { link in
      Name(name: link.path.text, detail: Self.parameters(link.path))
    }
    plugins = manifest.plugins.map { plugin in
      switch plugin.reference {
      case .name(let name): Name(name: name, detail: "plugin")
      case .path(_, let written): Name(name: plugin.suggestedName, detail: written)
      }
    }
    variables = manifest.variables.map { Name(name: $0.name.value + "=", detail: "variable") }
  }

  private static func parameters(_ path: LinkPath) -> String {
    let names = path.parameters.map(\.value)
    return names.isEmpty ? "link" : "link with " + names.joined(separator: ", ")
  }
}
