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
  /// Whether what it writes to standard error is dropped.
  let dropsErrors: Bool
  /// Its working directory; `nil` for this process's.
  let folder: String?

  package init(
    executable: String, arguments: [String], environment: [String: String], folder: String? = nil,
    files: [[UInt8]] = [], dropsErrors: Bool = false
  ) {
    self.executable = executable
    self.arguments = arguments
    self.environment = environment
    self.files = files
    self.dropsErrors = dropsErrors
    self.folder = folder
  }

  /// The path of the first program named `name` on the `PATH`; `nil` if there is none.
  package static func find(_ name: String, environment: [String: String]) -> String? {
    (environment["PATH"] ?? "").split(separator: ":").lazy.map { "\($0)/\(name)" }
      .first { access($0, X_OK) == 0 && !FilePath.isFolder($0) }
  }

  /// Runs the tool; blocks the thread until it has ended.
  package func run() -> (end: ProcessEnd, output: String) {
    guard let pipe = ChildPipe() else { return (.lost(errno), "") }
    let contents = files.map { Self.memoryFile($0) }
    guard !contents.contains(where: { $0 == nil }) else { return (.lost(errno), "") }
    let inputs = contents.compactMap { $0?.number }
    let nowhere = dropsErrors ? Self.memoryFile([]) : nil
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var id: pid_t = 0
    // The files are open for as long as these objects live, and only their numbers are used here.
    let error = withExtendedLifetime((contents, nowhere)) {
      Spawn.start(
        executable, arguments, variables,
        descriptors: [pipe.writer, nowhere?.number ?? pipe.writer] + inputs.dropFirst(),
        input: inputs.first, hasOwnGroup: false, folder: folder, id: &id)
    }
    pipe.closeWriter()
    guard error == 0 else { return (.lost(error), "") }
    let output = Self.readAll(pipe.reader)
    return (ProcessEnd(waitingFor: id), output)
  }

  /// A file in memory that has some bytes and begins at them; `nil` with `errno` where none is made.
  private static func memoryFile(_ bytes: [UInt8]) -> OpenFile? {
    guard let make = GNUFunctions.makeMemoryFile else {
      errno = ENOSYS
      return nil
    }
    let made = make("appcore-input", 1)
    guard made >= 0 else { return nil }
    // Clear of the numbers that the child's descriptors have.
    let number = fcntl(made, F_DUPFD_CLOEXEC, 16)
    close(made)
    guard number >= 0 else { return nil }
    let file = OpenFile(number)
    var position = 0
    while position < bytes.count {
      let count = bytes[position...].withUnsafeBytes {
        write(number, $0.baseAddress, $0.count)
      }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return nil }
      position += count
    }
    return lseek(number, 0, SEEK_SET) == 0 ? file : nil
  }

  private static func readAll(_ descriptor: Int32) -> String {
    // The reader of a `ChildPipe` is nonblocking; here it may block, with nothing else to do.
    _ = fcntl(descriptor, F_SETFL, 0)
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = read(descriptor, &chunk, chunk.count)
      if count > 0 {
        bytes.append(contentsOf: chunk[..<min(count, max(0, outputLimit - bytes.count))])
      } else if count == 0 || errno != EINTR {
        return String(decoding: bytes, as: UTF8.self)
      }
    }
  }
}
