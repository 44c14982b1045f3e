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

  /// What a line costs in manifests that say one thing again and again, mistakes too, beside what it
  /// costs where there are an eighth as many.
  ///
  /// - Throws: `BenchError.notLinear`, where that is more than three times as much; it is eight times
  ///   as much if each line looks at all others.
  func growth() throws -> [Row] {
    let all = GrowingManifest.verbs + GrowingManifest.mistakes + GrowingManifest.links
    return try all.map { ($0, "growing manifest: \($0.name)") }
      .filter { measurement.includes($1) }
      .map { manifest, name in
        let few = 4_000
        let small = (0..<2).map { _ in nanosecondsOfLine(manifest, lines: few) }.min() ?? 0
        // The least of several, which other work on the machine can't make smaller.
        var large = Double.infinity
        for _ in 0..<5 where large > 3 * small {
          large = min(large, nanosecondsOfLine(manifest, lines: 8 * few))
        }
        guard large <= 3 * small else { throw BenchError.notLinear(name, large / small) }
        return Row(
          name: "\(name), a line of \(8 * few)", nanoseconds: large,
          baseline: "a line of \(few)", baselineNanoseconds: small)
      }
  }

  private func nanosecondsOfLine(_ manifest: GrowingManifest, lines: Int) -> Double {
    let bytes = Array(manifest.text(lines).utf8)
    let loader = ManifestLoader(options: .init(environment: { _ in nil }))
    let catalog = GrowingManifest.catalog(lines: lines)
    let start = Measurement.now()
    let loaded = loader.load(bytes, path: "growing.yaml")
    guard let read = loaded.manifest else { return .infinity }
    let result = GraphBuilder.build(
      read, catalog: catalog, pluginNames: read.plugins.map { $0.reference.description },
      gaps: loaded.gaps)
    precondition(result.problems.count >= 0)
    return Double(Measurement.now() - start) / Double(lines)
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
