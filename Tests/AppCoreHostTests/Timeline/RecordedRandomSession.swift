@_spi(Host) internal import AppCore
internal import AppCoreHost
import Foundation
internal import Sessions
import TestSupport

/// A random session of an app, recorded to a file.
struct RecordedRandomSession {
  /// How many are tried of each app; `make recordings` sets it.
  static let count =
    ProcessInfo.processInfo.environment["APPCORE_RECORDED_SESSIONS"].flatMap(Int.init) ?? 10

  /// The lines that were typed.
  let lines: [String]

  private static let words = ["ada", "\"\"", "lib", "Milk\\neggs", "3", "on", "off", "new"]

  /// Types what may come to anybody's mind.
  private static func line(_ random: inout SplitMix64, _ extra: [String]) -> String {
    let number = Int.random(in: 1...9, using: &random)
    let word = words.randomElement(using: &random) ?? ""
    switch Int.random(in: 0..<10, using: &random) {
    case 0...3: return "\(number)"
    case 4, 5: return "\(number) \(word)"
    case 6: return ":back"
    case 7: return ":dismiss"
    default: return extra.randomElement(using: &random) ?? ":next"
    }
  }

  /// Runs an app, and records what it does.
  ///
  /// - Parameters:
  ///   - loaded: the app.
  ///   - seed: decides what is typed.
  ///   - file: the recording.
  ///   - first: what is typed before anything else.
  ///   - extra: what may be typed besides numbers and words.
  ///   - dependencies: what the features find.
  /// - Throws: why the app can't begin, or the file not be written.
  init(
    of loaded: LoadedApp, seed: Int, to file: String, first: [String] = [], extra: [String],
    dependencies: DependencyValues
  ) async throws {
    var random = SplitMix64(seed: UInt64(seed))
    var timeline = TimelineOptions()
    timeline.file = try RecordingFile(path: file)
    let app = App(loaded, dependencies: dependencies, profiler: nil, timeline: timeline)
    try await app.begin()
    await app.converse()
    _ = await app.settle()
    var typed: [String] = first
    for line in first { _ = await app.send(line: line) }
    for _ in 0..<Int.random(in: 5...30, using: &random) {
      let line = Self.line(&random, extra)
      typed.append(line)
      _ = await app.send(line: line)
    }
    _ = await app.end(within: .seconds(5))
    lines = typed
  }

  /// What features find as their files and shared values: none of this machine's.
  static var ownMachine: DependencyValues {
    var values = DependencyValues()
    values.fileSystem = .inMemory()
    values.environment = ["HOME": "/home/ada"]
    values.sharedStorage = SharedStorage()
    return values
  }
}
