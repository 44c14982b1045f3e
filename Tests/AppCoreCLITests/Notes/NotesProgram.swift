import Foundation
import Glibc
import TestSupport

/// The notes app that ships, run by the real program on a folder of its own.
struct NotesProgram: Sendable {
  static let appcore = buildFolder.appendingPathComponent("appcore").path
  let scratch: TemporaryFolder
  /// Where the notes are.
  let folder: String

  init(folder: String? = nil) throws {
    scratch = try TemporaryFolder()
    self.folder = folder ?? scratch.url.appendingPathComponent("notes").path
  }

  /// What `appcore` is given; a test that must not wait for the autosave says `saveAfter`.
  func arguments(saveAfter: Double = 1, _ options: [String] = []) -> [String] {
    [
      "run", "manifests/notes.yaml", "--set", "folder=\(folder)",
      "--set", "saveAfter=\(saveAfter)",
    ] + options
  }

  /// Logs Ada in and runs lines.
  func run(
    _ lines: [String], saveAfter: Double = 1, options: [String] = [],
    environment: [String: String] = [:]
  ) async throws -> ProgramResult {
    try await Program.appcore(
      arguments(saveAfter: saveAfter, options),
      input: (["@name ada", "@login"] + lines).map { $0 + "\n" }.joined(),
      environment: environment)
  }

  /// The texts of a user's notes, the last version of each, as they are on the disk.
  func texts(of user: String = "ada") throws -> [String] {
    let folder = folder + "/" + user
    guard FileManager.default.fileExists(atPath: folder) else { return [] }
    var last: [String: (version: Int, name: String)] = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) {
      let parts = name.split(separator: ".")
      guard parts.count == 3, let version = Int(parts[1]) else { continue }
      let id = String(parts[0])
      if version > last[id]?.version ?? 0 { last[id] = (version, name) }
    }
    return try last.values.map {
      try String(contentsOfFile: "\(folder)/\($0.name)", encoding: .utf8)
    }
    .sorted()
  }
}

/// The program with a pipe to write to and one to read from.
final class NotesDialogue {
  private let process: ChildProcess
  private let input = Pipe()
  private let printed: FileHandle
  private var output: ProgramOutput

  init(
    _ program: NotesProgram, saveAfter: Double = 3600, environment: [String: String] = [:]
  ) throws {
    let output = Pipe()
    process = try ChildProcess(
      NotesProgram.appcore, program.arguments(saveAfter: saveAfter, ["--json"]),
      environment: ProcessInfo.processInfo.environment.merging(environment) { $1 },
      input: input.fileHandleForReading, output: output.fileHandleForWriting)
    try input.fileHandleForReading.close()
    try output.fileHandleForWriting.close()
    printed = output.fileHandleForReading
    self.output = ProgramOutput(printed, of: process)
  }

  deinit { kill() }

  /// Writes lines without waiting for what they bring about.
  func write(_ lines: String...) throws {
    try input.fileHandleForWriting.write(contentsOf: Data(lines.map { $0 + "\n" }.joined().utf8))
  }

  /// The next screen; `nil` at the end.
  func screen() throws -> [String: Any]? {
    try output.line().flatMap { try JSONSerialization.jsonObject(with: $0) as? [String: Any] }
  }

  /// The program has ended though it was not told to.
  struct Ended: Error { let status: Int32 }

  /// The next screen.
  func expectScreen() throws -> [String: Any] {
    if let screen = try screen() { return screen }
    throw Ended(status: process.waitForEnd().status)
  }

  /// Stops reading what it prints.
  func closeOutput() { try? printed.close() }

  /// Sends it a signal.
  func send(_ signal: Int32) { process.send(signal) }

  /// Sends it a signal and returns its exit status.
  func end(by signal: Int32) -> Int32 {
    process.send(signal)
    return process.waitForEnd().status
  }

  /// Waits for its end and returns its exit status.
  func waitForEnd() -> Int32 { process.waitForEnd().status }

  /// Ends it as `kill -9` does.
  func kill() {
    process.send(SIGKILL)
    process.waitForEnd()
  }
}
