internal import Glibc
internal import Support

/// A running scanning process: its channel, its two output streams, and its end.
///
/// It has a process group of its own, an empty standard input, no descriptors but the standard ones
/// and its channel, and limits. When it ends or is stopped, its whole group is killed, and it is
/// reaped.
final class ScanChild {
  private let child: ChildProcess
  private let output: ChildPipe
  private let errors: ChildPipe
  private var channel: Int32
  private let limits: ScanLimits

  private var inbox: ArraySlice<UInt8> = []
  private var outbox: ArraySlice<UInt8> = []
  private var chunk = [UInt8](repeating: 0, count: 65_536)
  /// The number of bytes that it has printed since ``forgetOutput()``.
  private var written = 0
  private var errorBytes: [UInt8] = []

  /// Starts a process.
  init(_ process: ScanProcess) throws(Rejection) {
    func failure(_ error: Int32) -> Rejection {
      Rejection.scanNotStarted(executable: process.executable, error: error)
    }
    guard let output = ChildPipe(), let errors = ChildPipe() else { throw failure(errno) }
    var ends: [Int32] = [-1, -1]
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue)
    guard socketpair(AF_UNIX, kind, 0, &ends) == 0 else { throw failure(errno) }
    let theirs = fcntl(ends[1], F_DUPFD_CLOEXEC, ChildProcess.channel + 1)
    close(ends[1])
    guard theirs >= 0, fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0 else {
      let error = errno
      close(ends[0])
      if theirs >= 0 { close(theirs) }
      throw failure(error)
    }
    var child = ChildProcess()
    let error = child.start(
      process.executable, process.arguments, process.childEnvironment, output: output.writer,
      errors: errors.writer, channel: theirs)
    close(theirs)
    output.closeWriter()
    errors.closeWriter()
    guard error == 0 else {
      close(ends[0])
      throw failure(error)
    }
    limits = process.limits
    child.limit(
      addressSpace: limits.addressSpace, data: limits.data,
      processorSeconds: limits.processorSeconds)
    self.child = child
    self.output = output
    self.errors = errors
    channel = ends[0]
  }

  deinit { _ = end() }

  private var isReaped = false

  /// Kills it if it still runs, reaps it, and reads the rest of its output.
  func end() -> ProcessEnd {
    guard !isReaped else { return .lost(ECHILD) }
    isReaped = true
    let status = child.killAndReap()
    // A pipe usually holds 64 KiB; more than that was written by a process that escaped.
    readOutput(maximum: 32)
    close(channel)
    output.closeReader()
    errors.closeReader()
    return status
  }

  var hasEnded: Bool { child.hasEnded }

  private var addressSpace: UInt64 = 0

  /// Sends a request, now or when the channel has room.
  package func send(_ request: ScanRequest) {
    if let limit = limits.addressSpace {
      // The addresses around each plugin are reserved, too; see `MemoryGuard`.
      addressSpace += MemoryGuard.addresses + request.plugin.span
      child.limit(addressSpace: limit + MemoryGuard.addresses + addressSpace)
    }
    outbox += request.bytes
    write()
  }

  private func write() {
    while !outbox.isEmpty {
      let count = outbox.withUnsafeBytes { part in
        Glibc.send(channel, part.baseAddress, part.count, Int32(MSG_NOSIGNAL))
      }
      if count < 0, errno == EINTR { continue }
      // If the process has ended, that is noticed elsewhere.
      guard count > 0 else { return }
      outbox = outbox.dropFirst(count)
    }
    outbox = []
  }

  /// Waits until it has sent or printed something, or the time is over.
  func wait(milliseconds: Int64) {
    // A socket whose other end is closed is always ready, so it is left out.
    let events = Int16(POLLIN) | (outbox.isEmpty ? 0 : Int16(POLLOUT))
    var descriptors = [
      pollfd(fd: isChannelClosed ? -1 : channel, events: events, revents: 0),
      pollfd(fd: output.reader, events: Int16(POLLIN), revents: 0),
      pollfd(fd: errors.reader, events: Int16(POLLIN), revents: 0),
    ]
    poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds))
    write()
  }

  /// Whether it will send no more frames.
  private(set) var isChannelClosed = false

  /// Reads what it sent; ``nextFrame()`` returns it.
  func readFrames() {
    while !isChannelClosed {
      let count = read(channel, &chunk, chunk.count)
      if count < 0, errno == EINTR { continue }
      if count > 0 {
        inbox += chunk[..<count]
      } else {
        if count == 0 || errno != EAGAIN { isChannelClosed = true }
        return
      }
    }
  }

  func nextFrame() throws(ScanFrame.Malformed) -> ScanFrame? {
    guard let (kind, payload) = try ScanFrame.take(from: &inbox) else { return nil }
    return try ScanFrame(kind: kind, payload: payload)
  }

  /// Reads what it printed, at most `maximum` chunks of each stream.
  func readOutput(maximum: Int = 16) {
    for _ in 0..<maximum {
      guard let count = read(from: output) else { break }
      written += count
    }
    for _ in 0..<maximum {
      guard let count = read(from: errors) else { break }
      written += count
      errorBytes.append(contentsOf: chunk[..<count])
      if errorBytes.count > limits.errorTail + chunk.count {
        errorBytes.removeFirst(errorBytes.count - limits.errorTail)
      }
    }
  }

  private func read(from pipe: ChildPipe) -> Int? {
    while pipe.reader >= 0 {
      let count = Glibc.read(pipe.reader, &chunk, chunk.count)
      if count > 0 { return count }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN { pipe.closeReader() }
      return nil
    }
    return nil
  }

  private func read(_ descriptor: Int32, _ bytes: inout [UInt8], _ count: Int) -> Int {
    Glibc.read(descriptor, &bytes, count)
  }

  /// Its memory use in bytes, if that is more than three quarters of the limit; otherwise `nil`.
  ///
  /// A plugin may survive a failed allocation, and the host has no such limit.
  var excessiveMemory: UInt64? {
    guard let limit = limits.data, let use = child.memoryUse, use > limit / 4 * 3 else {
      return nil
    }
    return use
  }

  var isFlooded: Bool { written > limits.output }

  var errorTail: String {
    String(decoding: errorBytes.suffix(limits.errorTail), as: UTF8.self)
  }

  /// Discards the output up to now, which belongs to plugins that have answered.
  func forgetOutput() {
    written = 0
    errorBytes = []
  }
}
