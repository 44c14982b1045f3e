internal import Glibc
internal import Support

/// Runs a tool to its end and returns its output, of both streams in order.
///
/// Unlike a scanning process it stays in this process's group: an interrupt from the terminal ends
/// both.
package struct ToolProcess {
  /// The most output that is kept, in bytes; the rest is dropped.
  package static let outputLimit = 4 << 20

  let executable: String
  let arguments: [String]
  let environment: [String: String]
  /// What it reads: the first of these from standard input, the others from descriptors 3 and on.
  let files: [[UInt8]]
  /// Its working directory; `nil` for this process's.
  let folder: String?

  package init(
    executable: String, arguments: [String], environment: [String: String], folder: String? = nil,
    files: [[UInt8]] = []
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.files = files
    self.folder = folder
  }

  /// The path of the first program named `name` on the `PATH`; `nil` if there is none.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 && !FilePath.isFolder($0) }
  }

  /// Runs the tool; blocks the thread until it has ended.
  package func run() -> (end: ProcessEnd, output: String) {
    let (end, output, _) = run(errors: nil)
    return (end, output)
  }

  /// Runs the tool, and returns what it wrote to standard error by itself.
  package func runApart() -> (end: ProcessEnd, output: String, errors: String) {
    do throws(SystemError) { return run(errors: try .inMemory([])) } catch {
      return (.lost(error.code), "", "")
    }
  }

  private func run(errors: OpenFile?) -> (end: ProcessEnd, output: String, errors: String) {
    do throws(SystemError) {
      let (reader, id) = try start(errors: errors)
      let output = Self.readAll(reader)
      let end = ProcessEnd(waitingFor: id)
      guard let errors else { return (end, output, "") }
      lseek(errors.number, 0, SEEK_SET)
      return (end, output, Self.readAll(errors))
    } catch {
      return (.lost(error.code), "", "")
    }
  }

  /// Starts the tool; the writing end of its output is closed here when this returns.
  private func start(errors: OpenFile?) throws(SystemError) -> (OpenFile, pid_t) {
    let (reader, writer) = try OpenFile.pipe()
    var inputs: [OpenFile] = []
    for file in files { inputs.append(try .inMemory(file)) }
    let id = try Spawn.start(
      executable, arguments, environment: environment, input: inputs.first,
      descriptors: [writer, errors ?? writer] + inputs.dropFirst(), folder: folder)
    return (reader, id)
  }

  private static func readAll(_ file: OpenFile) -> String {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(file.number, &chunk, chunk.count)
      if count > 0 {
        bytes.append(contentsOf: chunk[..<min(count, max(0, outputLimit - bytes.count))])
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
