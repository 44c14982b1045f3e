internal import Glibc

/// Reads both outputs of a child until it ends, writes too much, or its time is up.
struct OutputCollector {
  enum End: Equatable {
    case ended, timeout, flood
  }

  private let output: ChildPipe
  private let errors: ChildPipe
  private let limits: ScanLimits
  private(set) var bytes: [UInt8] = []
  private var errorBytes: [UInt8] = []
  private var chunk = [UInt8](repeating: 0, count: 65_536)

  init(output: ChildPipe, errors: ChildPipe, limits: ScanLimits) {
    self.output = output
    self.errors = errors
    self.limits = limits
  }

  var isFlooded: Bool { bytes.count > limits.output }

  var errorTail: String {
    String(decoding: errorBytes.suffix(limits.errorTail), as: UTF8.self)
  }

  mutating func run(until child: ChildProcess) -> End {
    let deadline = Self.now() + Self.milliseconds(limits.time)
    var pause: Int64 = 1
    while true {
      let left = deadline - Self.now()
      guard left > 0 else { return child.hasEnded ? .ended : .timeout }
      let isOpen = output.reader >= 0 || errors.reader >= 0
      // A child of the child's can hold the pipes open: look now and then whether the child itself
      // has ended. One that has closed its pipes is about to end, as a rule.
      wait(milliseconds: min(left, isOpen ? 50 : pause))
      if !isOpen { pause = min(pause * 2, 50) }
      if !read(maximum: 16) { return .flood }
      if child.hasEnded { return .ended }
    }
  }

  /// Reads what was written before the end.
  mutating func drain() {
    // A pipe holds 64 KiB as a rule; more than that was written by a process that escaped.
    _ = read(maximum: 32)
  }

  private func wait(milliseconds: Int64) {
    var descriptors = [output.reader, errors.reader].map {
      pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
    }
    poll(&descriptors, nfds_t(descriptors.count), Int32(clamping: milliseconds))
  }

  /// Reads at most so many chunks of each pipe; `false` when there is more than allowed.
  private mutating func read(maximum: Int) -> Bool {
    for _ in 0..<maximum {
      guard let count = read(from: output) else { break }
      bytes.append(contentsOf: chunk[..<count])
      if isFlooded { return false }
    }
    for _ in 0..<maximum {
      guard let count = read(from: errors) else { break }
      errorBytes.append(contentsOf: chunk[..<count])
      if errorBytes.count > limits.errorTail + chunk.count {
        errorBytes.removeFirst(errorBytes.count - limits.errorTail)
      }
    }
    return true
  }

  /// Reads a chunk; `nil` when there is none now.
  private mutating func read(from pipe: ChildPipe) -> Int? {
    guard pipe.reader >= 0 else { return nil }
    while true {
      let count = Glibc.read(pipe.reader, &chunk, chunk.count)
      if count > 0 { return count }
      if count < 0, errno == EINTR { continue }
      if count == 0 || errno != EAGAIN { pipe.closeReader() }
      return nil
    }
  }

  private static func now() -> Int64 {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return Int64(time.tv_sec) * 1000 + Int64(time.tv_nsec) / 1_000_000
  }

  private static func milliseconds(_ time: Duration) -> Int64 {
    let (seconds, rest) = time.components
    return max(0, min(seconds, 86_400)) * 1000 + rest / 1_000_000_000_000_000
  }
}
