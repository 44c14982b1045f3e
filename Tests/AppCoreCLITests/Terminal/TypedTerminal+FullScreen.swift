import Glibc
import TestSupport
import Testing

extension TypedTerminal {
  /// `appcore run` full screen in a locale with UTF-8, when its first picture is seen.
  static func fullScreen(
    _ manifest: String = "Tests/Fixtures/manifests/console/console.yaml", options: [String] = [],
    environment: [String: String] = [:]
  ) throws -> TypedTerminal {
    let terminal = try TypedTerminal(
      ["run", manifest, "--full-screen"] + options,
      environment: ["LANG": "C.UTF-8"].merging(environment) { $1 })
    try terminal.wait(for: "F1 help")
    return terminal
  }

  /// The browser of a few packages, in a locale with UTF-8.
  static func packages(
    columns: Int = 80, rows: Int = 24, options: [String] = ["--full-screen"],
    environment: [String: String] = [:]
  ) throws -> TypedTerminal {
    try TypedTerminal(
      ["run", "manifests/packages.yaml"] + options, columns: columns, rows: rows,
      environment: ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status", "LANG": "C.UTF-8"]
        .merging(environment) { $1 })
  }

  /// Types what leaves the app, whose terminal has to be as it was.
  func leave(typing text: String = "\u{11}", sourceLocation: SourceLocation = #_sourceLocation) {
    type(text)
    expectRestored(sourceLocation: sourceLocation)
  }

  /// The app ends, and its terminal has to be as it was.
  func expectRestored(
    status: [Int32] = [0], sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(status.contains(finish()), sourceLocation: sourceLocation)
    #expect(modes == modesBefore, sourceLocation: sourceLocation)
    #expect(
      !model.isAlternate && !model.reportsMouse && !model.marksPastes && model.isCursorVisible,
      sourceLocation: sourceLocation)
    #expect(model.unknown == [], sourceLocation: sourceLocation)
  }

  /// Kills the process that runs the app, without its supervisor.
  func crash() throws {
    let worker = try #require(CrashingApp(self).worker)
    kill(worker, SIGKILL)
    try wait("another process") { _ in
      CrashingApp(self).worker.map { $0 != worker } == true
    }
  }
}
