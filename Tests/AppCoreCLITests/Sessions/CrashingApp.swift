import Foundation
import Glibc
import TestSupport

/// `appcore run` on a terminal, with a plugin that goes wrong where it is told to.
struct CrashingApp {
  static let manifest = "Tests/Fixtures/manifests/mocks/crashes.yaml"
  /// The toolchain's backtracer as it is for a person: otherwise the library prints all calls itself.
  static let environment = ["SWIFT_BACKTRACE": "enable=yes,interactive=no"]
  let terminal: TypedTerminal
  /// The reports of its crashes; `nil` for a terminal that was given.
  let reports: CrashReports?

  init(_ terminal: TypedTerminal) { (self.terminal, reports) = (terminal, nil) }

  init(
    _ options: [String] = [], manifest: String = CrashingApp.manifest,
    environment: [String: String] = [:]
  ) throws {
    let reports = try CrashReports()
    self.reports = reports
    terminal = try TypedTerminal(
      ["run", manifest] + options, columns: 120, rows: 50,
      environment: Self.environment.merging(reports.environment) { $1 }
        .merging(environment) { $1 })
    try terminal.wait("the first prompt") { $0.line == ">" }
  }

  /// Types a line, and waits until the last screen shows a text and the next prompt.
  func type(_ line: String, seeing text: String) throws {
    terminal.type(line + "\r")
    try terminal.wait(text) { model in
      guard let typed = model.text.range(of: "> " + line, options: .backwards) else { return false }
      return model.text[typed.upperBound...].contains(text) && model.line == ">"
    }
  }

  /// Types a line that ends the process, and waits for the line that tells of it and the screen after.
  ///
  /// - Returns: the line that tells of it.
  func crash(_ line: String, seeing text: String = "Count") throws -> String {
    try clear()
    terminal.type(line + "\r")
    return try restored(seeing: text)
  }

  /// Clears the terminal, so that nothing is seen any more of what was told of the crash before.
  func clear() throws {
    // What is seen is what is waited for: otherwise the next process may be the one that clears it.
    guard terminal.model.text.contains("; restored in ") else { return }
    terminal.type("\u{c}")
    try terminal.wait("a cleared terminal") {
      !$0.text.contains("; restored in ") && $0.line == ">"
    }
  }

  /// Waits until the app has been restored once more.
  ///
  /// - Returns: the line that tells of it.
  func restored(seeing text: String = "Count") throws -> String {
    try terminal.wait("the app restored, with \(text)") { model in
      let told = model.text.components(separatedBy: "; restored in ")
      return told.count > 1 && (told.last ?? "").contains(text) && model.line.hasPrefix(">")
    }
    let lines = terminal.model.text.split(separator: "\n")
    // It may go over two rows.
    let pairs = zip(lines, lines.dropFirst() + [""]).map { "\($0) \($1)" }
    return pairs.last { $0.hasPrefix("! ") && $0.contains("; restored in ") } ?? ""
  }

  /// The process that runs the app.
  var worker: pid_t? {
    let supervisor = terminal.child
    let path = "/proc/\(supervisor)/task/\(supervisor)/children"
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { return nil }
    return text.split(separator: " ").first.flatMap { pid_t($0) }
  }

  /// How long the app's own thread has worked, in ticks of the system's clock.
  static func storeTicks(of worker: pid_t) -> Int {
    let tasks = "/proc/\(worker)/task"
    for task in (try? FileManager.default.contentsOfDirectory(atPath: tasks)) ?? [] {
      guard let text = try? String(contentsOfFile: "\(tasks)/\(task)/stat", encoding: .utf8),
        text.contains("(appcore-store)")
      else { continue }
      // The name may hold spaces; the time in user code is the twelfth field after it.
      return text.split(separator: ")").last?.split(separator: " ").dropFirst(11).first
        .flatMap { Int($0) } ?? 0
    }
    return 0
  }

  /// Leaves the app.
  ///
  /// - Returns: the exit status.
  func quit() -> Int32 {
    terminal.type("\u{5}\u{15}:quit\r")
    return terminal.finish()
  }
}
