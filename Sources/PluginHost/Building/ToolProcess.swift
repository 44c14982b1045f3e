internal import Glibc

/// Runs a tool to its end and returns what it wrote, on both streams in order.
///
/// Unlike a process that scans it stays in this process's group: an interrupt from the terminal
/// ends both.
struct ToolProcess {
  /// How much of what it writes is kept, in bytes.
  static let outputLimit = 4 << 20

  let executable: String
  let arguments: [String]
  let environment: [String: String]

  /// Blocks the thread until the tool has ended.
  func run() -> (end: ProcessEnd, output: String) {
    guard let pipe = ChildPipe() else { return (.lost(errno), "") }
    let variables = environment.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }
    var id: pid_t = 0
    let error = Spawn.start(
      executable, arguments, variables, descriptors: [pipe.writer, pipe.writer],
      hasOwnGroup: false, id: &id)
    pipe.closeWriter()
    guard error == 0 else { return (.lost(error), "") }
    let output = Self.readAll(pipe.reader)
    return (ProcessEnd(waitingFor: id), output)
  }

  private static func readAll(_ descriptor: Int32) -> String {
    // A `ChildPipe` does not block its reader; here there is nothing else to do.
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
