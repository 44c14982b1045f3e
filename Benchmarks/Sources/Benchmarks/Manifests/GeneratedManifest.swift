@_spi(Host) import AppCheck
@_spi(Host) import AppCore
@_spi(Host) import Navigation

/// A manifest of a given length: a chain of nodes, each with a route to the next.
///
/// A node and its route take 18 lines of 25 bytes; at 100,000 lines there are 5,555 of each.
struct GeneratedManifest {
  let text: String
  let nodeCount: Int

  var bytes: [UInt8] { Array(text.utf8) }

  init(lines: Int) {
    nodeCount = max(2, (lines - 14) / 18)
    var text = """
      appcore: 1
      name: generated
      title: A generated app
      vars:
        server: { default: "https://127.0.0.1:8443" }
      plugins:
        - Bench
      start: node0
      nodes:

      """
    for index in 0..<nodeCount {
      let isLast = index == nodeCount - 1
      text += """
          node\(index):
            # Shows one thing of many, which the page before it was asked for.
            feature: Bench.\(isLast ? "End" : "Page")
            title: "Page number \(index)"
            with:
              server: $vars.server
              size: \(index % 1000)
              isShort: \(index % 2 == 0)
              \(index == 0 ? "id: first" : "note: some text for \(index)")

        """
    }
    text += "routes:\n"
    for index in 0..<nodeCount - 1 {
      text += """
          # From one page to the next, which is shown even while a modal covers this one.
          - from: node\(index)
            action: selected
            push: node\(index + 1)
            with:
              id: $.id
              note: "{$.name} of {$.count}"
            singleTop: true
            ifCovered: over

        """
    }
    text += "  - { from: any, action: closed, do: back }\n"
    self.text = text
  }

  /// The features of its plugin, for the checks.
  static var catalog: FeatureCatalog {
    let arguments = Schema.object([
      .init(name: "server", schema: .string), .init(name: "id", schema: .string),
      .init(name: "size", schema: .int), .init(name: "isShort", schema: .optional(.bool)),
      .init(name: "note", schema: .optional(.string)),
    ])
    let closed = CaseSchema(name: "closed", payload: nil)
    let selected = CaseSchema(
      name: "selected",
      payload: .object([
        .init(name: "id", schema: .string), .init(name: "name", schema: .string),
        .init(name: "count", schema: .int),
      ]))
    var catalog = FeatureCatalog()
    catalog["Bench"] = .available(
      configuration: .object([]),
      features: [
        FeatureInfo(name: "Bench.Page", arguments: arguments, delegates: [selected, closed]),
        FeatureInfo(name: "Bench.End", arguments: arguments, delegates: [closed]),
      ])
    return catalog
  }
}
