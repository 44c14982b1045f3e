@_spi(Host) import AppCheck
import CYAML
import Manifest
@_spi(Host) import Navigation

/// The cost of reading and checking a manifest, compared with libyaml's events for the same bytes.
struct ManifestRows {
  let measurement: Measurement

  func rows() throws -> [Row] {
    try [1_000, 10_000, 100_000].flatMap { lines in
      let name = "manifest of \(lines) lines"
      guard ["located tree", "checked"].contains(where: { measurement.includes("\(name): \($0)") })
      else { return [Row]() }
      let generated = GeneratedManifest(lines: lines)
      let bytes = generated.bytes
      try verify(generated)
      let count = 100_000 / lines
      let events = nanoseconds(count) { Self.readEvents(bytes) }
      let loader = ManifestLoader(options: .init(environment: { _ in nil }))
      let tree = nanoseconds(count) { loader.valueCount(of: bytes, path: "generated.yaml") ?? 0 }
      let read = nanoseconds(count) { loader.load(bytes, path: "generated.yaml").problems.count }
      let whole = nanoseconds(count) { Self.check(bytes, loader).0?.nodes.count ?? 0 }
      let figures = [("located tree", tree), ("read", read), ("wholly checked", whole)]
      return figures.map {
        Row(
          name: "\(name) (\(bytes.count) bytes): \($0)", nanoseconds: $1,
          baseline: "libyaml's events", baselineNanoseconds: events)
      }
    }
  }

  /// Verifies that the manifest has no errors: otherwise little of it would be checked.
  private func verify(_ generated: GeneratedManifest) throws {
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let (graph, messages) = Self.check(generated.bytes, loader)
    guard graph?.nodes.count == generated.nodeCount, messages.isEmpty else {
      throw BenchError.wrongManifest(messages.first ?? "no graph")
    }
  }

  private func nanoseconds(_ count: Int, _ body: () -> Int) -> Double {
    measurement.nanoseconds(count: count) { count in
      for _ in 0..<count { precondition(body() >= 0) }
    }
  }

  private static func check(_ bytes: [UInt8], _ loader: ManifestLoader) -> (Graph?, [String]) {
    let loaded = loader.load(bytes, path: "generated.yaml")
    guard let manifest = loaded.manifest, loaded.problems.isEmpty else {
      return (nil, loaded.problems.map { $0.message })
    }
    let result = GraphBuilder.build(
      manifest, catalog: GeneratedManifest.catalog,
      pluginNames: manifest.plugins.map { $0.reference.description })
    return (result.graph, result.problems.map { $0.message })
  }

  /// The number of events from libyaml; -1 if it fails.
  private static func readEvents(_ bytes: [UInt8]) -> Int {
    bytes.withUnsafeBufferPointer { input in
      var parser = yaml_parser_t()
      guard yaml_parser_initialize(&parser) == 1 else { return -1 }
      defer { yaml_parser_delete(&parser) }
      yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
      yaml_parser_set_input_string(&parser, input.baseAddress, input.count)
      var event = yaml_event_t()
      var count = 0
      while yaml_parser_parse(&parser, &event) == 1 {
        let isEnd = event.type == YAML_STREAM_END_EVENT
        yaml_event_delete(&event)
        count += 1
        if isEnd { return count }
      }
      return -1
    }
  }
}
