@_spi(Host) import AppCore
import Glibc
import PluginHost

// The cost of carrying states over to another build of their plugin while it runs, compared with
// encoding and decoding them by hand.
extension Bench {
  /// Carries 100 instances over to another build and back; both builds are loaded already.
  func replacements() throws -> [Row] {
    let name = "the states of 100 instances go over to another build"
    guard measurement.includes(name) else { return [] }
    let builds = try BenchPlugin.builds().compactMap {
      try $0.instantiate(configuration: .null).first { $0.info.name.hasSuffix(".Form") }
    }
    guard builds.count == 2 else { throw BenchError.notReplaced }
    var states = try (0..<100).map { _ in try builds[0].makeState(.object([:])) }
    var turn = 0
    let swap = try measurement.throwingNanoseconds(count: 200) { count in
      for _ in 0..<count {
        let former = builds[turn % 2]
        turn += 1
        let build = builds[turn % 2]
        states = try states.map { try build.takeOver($0, of: former, versions: ("1", "1")) }
      }
    }
    let state = HandState()
    var sum = 0
    let byHand = try measurement.throwingNanoseconds(count: 200) { count in
      for _ in 0..<count * 100 {
        let value = try ValueEncoder().encode(state)
        sum += try ValueDecoder().decode(HandState.self, from: value).rows.count
      }
    }
    guard states.count == 100, sum > 0 else { throw BenchError.notReplaced }
    return [
      Row(
        name: name, nanoseconds: swap, baseline: "100 encoded and decoded by hand",
        baselineNanoseconds: byHand)
    ]
  }
}

/// A copy of `FormState`, the state of the plugin's feature.
private struct HandState: Codable {
  struct Row: Codable {
    var name: String
    var amount: Int
    var isPaid: Bool
  }
  enum Mode: String, Codable { case reading, editing }

  var title = "An order"
  var note = "To be delivered on a weekday, before noon"
  var edits = 0
  var total = 129.95
  var isUrgent = false
  var mode = Mode.reading
  var selected: Int? = 1
  var password = Secret("hunter2")
  var rows = (0..<3).map { Row(name: "Row \($0)", amount: $0 * 10, isPaid: $0 == 0) }
  @Presented var child: Row?
}

extension BenchPlugin {
  /// Two builds of the plugin: copies of its file with different bytes at the end.
  static func builds() throws -> [LoadedPlugin] {
    guard let folder = PluginLocator.executableFolder()
    else { throw BenchError.noPlugin("the program's folder is not known") }
    var template = Array("/tmp/appcore-bench-XXXXXX".utf8CString)
    guard let made = mkdtemp(&template) else { throw BenchError.noPlugin("no temporary folder") }
    let path = String(cString: made)
    defer { _ = system("rm -rf '\(path)'") }
    let loader = PluginLoader(environment: ["XDG_CACHE_HOME": path])
    return try ["a", "b"].map { build in
      let copy = "\(path)/\(build).so"
      let command = "cp '\(folder)/libBenchCounter.so' '\(copy)' && printf \(build) >> '\(copy)'"
      guard system(command) == 0 else { throw BenchError.noPlugin(copy) }
      guard let exported = try loader.load(loader.open(path: copy)).entry() else {
        throw BenchError.noPlugin("no export")
      }
      return LoadedPlugin(exported: exported)
    }
  }
}

extension Measurement {
  /// The median as in ``nanoseconds(count:_:)``, of work that may throw.
  func throwingNanoseconds(
    count: Int, _ body: (_ count: Int) throws -> Void
  ) throws -> Double {
    var failure: (any Error)?
    let figure = nanoseconds(count: count) { count in
      do { try body(count) } catch { failure = error }
    }
    if let failure { throw failure }
    return figure
  }
}
