internal import Glibc
internal import Navigation
internal import Support
internal import Synchronization

/// Captures the text that plugins print to standard output, which is reserved for the program, and
/// reports each line with the plugin's name, if the plugin is known.
package enum PluginOutput {
  private static let source = Atomic<Int32>(-1)
  private static let isReading = Atomic<Bool>(false)
  private static let receiver = Mutex<@Sendable (String) -> Void>({ _ in })
  private static let lineLimit = 4096

  /// Reserves standard output for the program, and reports each line that other code prints there.
  ///
  /// - Parameter receiver: receives a line without its newline, on a dedicated thread.
  package static func collect(_ receiver: @escaping @Sendable (String) -> Void) {
    setReceiver(receiver)
    guard let descriptor = StandardOutput.claim() else { return }
    source.store(descriptor, ordering: .sequentiallyConsistent)
    DetachedThread.start { read(descriptor) }
  }

  /// Replaces the function that receives the lines.
  package static func setReceiver(_ receiver: @escaping @Sendable (String) -> Void) {
    Self.receiver.withLock { $0 = receiver }
  }

  /// Waits until all printed text has been reported, for at most 2 s.
  package static func drain() {
    let descriptor = source.load(ordering: .relaxed)
    guard descriptor >= 0 else { return }
    for _ in 0..<1000 {
      var waiting: Int32 = 0
      // FIONREAD
      guard ioctl(descriptor, 0x541b, &waiting) == 0 else { return }
      if waiting == 0, !isReading.load(ordering: .sequentiallyConsistent) { return }
      usleep(2000)
    }
  }

  private static func read(_ descriptor: Int32) {
    var rest: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      // While a line is incomplete, `drain` keeps waiting.
      isReading.store(!rest.isEmpty, ordering: .sequentiallyConsistent)
      var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
      // The toolchain's backtracer, for example, interrupts the call: it stops all threads.
      let ready = Descriptor.uninterrupted { poll(&entry, 1, rest.isEmpty ? -1 : 100) }
      isReading.store(true, ordering: .sequentiallyConsistent)
      guard ready > 0 else {
        // The rest of the line has not arrived within 100 ms.
        deliver(rest[...])
        rest = []
        continue
      }
      let count = Descriptor.uninterrupted { Glibc.read(descriptor, &buffer, buffer.count) }
      guard count > 0 else {
        if !rest.isEmpty { deliver(rest[...]) }
        isReading.store(false, ordering: .sequentiallyConsistent)
        return
      }
      let known = rest.count
      rest += buffer[..<count]
      var start = 0
      while let end = rest[max(start, known)...].firstIndex(of: 0x0a) {
        deliver(rest[start..<end])
        start = end + 1
      }
      rest.removeFirst(start)
      if rest.count > lineLimit {
        deliver(rest[...])
        rest = []
      }
    }
  }

  private static func deliver(_ bytes: ArraySlice<UInt8>) {
    let text = SafeText.line(String(decoding: bytes.prefix(lineLimit), as: UTF8.self))
    let cut = bytes.count > lineLimit ? "…" : ""
    receiver.withLock { $0 }("\(probableSource) printed: \(text)\(cut)")
  }

  /// The probable source of the output, in words: the only plugin, or the feature called last.
  private static var probableSource: String {
    if let only = PluginFiles.onlyPlugin { return "plugin '\(only)'" }
    let latest = WatchedThreads.latest
    guard let owner = latest?.owner ?? latest?.lastOwner else { return "a plugin" }
    return "a plugin (at work last: \(owner))"
  }
}
