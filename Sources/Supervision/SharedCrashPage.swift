internal import Glibc
package import Navigation

/// Memory that an app's process shares with its supervisor: the current call, and how the process
/// ends.
///
/// The supervisor can read it however the process ends. A plugin may have overwritten any part of
/// it by then, so its content is not trusted.
package struct SharedCrashPage: @unchecked Sendable {
  // Unchecked: written only by the page's process; its supervisor reads single words while that
  // runs, and the rest when it has ended.
  private let content: UnsafeMutablePointer<Content>

  /// What the memory begins with, before the report's bytes.
  ///
  /// Any bits are a value of each field but the records, which are read byte by byte.
  private struct Content {
    var record = CallRecord()
    var stepRecord = CallRecord()
    var stage = Stage.starting.rawValue
    var staleImages: UInt8 = 0
    var fullScreens: UInt8 = 0
    var stops: UInt = 0
    var looks: UInt = 0
    var progress = 0
    var filingError: Int32 = 0
    var logCount = 0
    var reportCount = 0
  }

  private static let size = 1 << 15
  private static let logLimit = 4096
  private static let reportLimit = size - logLimit - MemoryLayout<Content>.stride

  /// A stage in the life of a process.
  package enum Stage: UInt8, Sendable {
    /// The app begins, or continues.
    case starting = 1
    /// Its first screen was shown.
    case running
    /// The user or the end of the input has ended the app, which may still be saving; if it
    /// crashes now, it is restored.
    case leaving
    case ending
  }

  private nonisolated(unsafe) static var shared: (page: SharedCrashPage, owner: pid_t)?

  /// The page of this process; `nil` if it has no supervisor, as in a process that a plugin has
  /// forked.
  package static var current: SharedCrashPage? {
    shared.flatMap { $0.owner == getpid() ? $0.page : nil }
  }

  /// Makes it the page of this process; must be called before other threads exist.
  package func makeCurrent() { Self.shared = (self, getpid()) }

  /// Creates a page that is shared with processes forked from this one.
  ///
  /// - Returns: `nil` if the system can't map the memory.
  package init?() {
    let found = mmap(
      nil, Self.size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0)
    guard let found, found != MAP_FAILED else { return nil }
    content = found.bindMemory(to: Content.self, capacity: 1)
  }

  /// Clears the page for another process.
  package func reset() { content.initialize(to: Content()) }

  /// The record of the app's calls to features; its owner writes to it.
  package var record: UnsafeMutablePointer<CallRecord>? { content.pointer(to: \.record) }

  package var stepRecord: UnsafeMutablePointer<CallRecord>? { content.pointer(to: \.stepRecord) }

  package var stage: Stage? {
    get { Stage(rawValue: content.pointee.stage) }
    nonmutating set { content.pointee.stage = newValue?.rawValue ?? 0 }
  }

  package var hasShownScreen: Bool { stage == .running || stage == .leaving }

  /// Whether the image lacks changes that were shown, because it could not be written.
  package var hasStaleImage: Bool {
    get { content.pointee.staleImages != 0 }
    nonmutating set { content.pointee.staleImages = newValue ? 1 : 0 }
  }

  /// Whether the terminal shows the alternate screen, and reports the mouse.
  package var isFullScreen: Bool {
    get { content.pointee.fullScreens != 0 }
    nonmutating set { content.pointee.fullScreens = newValue ? 1 : 0 }
  }

  /// How often the process has stopped and its supervisor has continued it, since no shell would;
  /// written by the supervisor.
  package var stops: UInt {
    get { content.pointee.stops }
    nonmutating set { content.pointee.stops = newValue }
  }

  /// The number of checks by the process's watch thread of whether the app responds; 0 while it
  /// does not check.
  package var looks: UInt {
    get { content.pointee.looks }
    nonmutating set { content.pointee.looks = newValue }
  }

  /// The number of times that the app's thread has begun or ended a piece of work, as the watch
  /// thread last saw it; odd during one.
  package var progress: Int {
    get { content.pointee.progress }
    nonmutating set { content.pointee.progress = newValue }
  }

  /// The report about the end of the process, encoded by ``CrashReport``.
  package var report: [UInt8] {
    get {
      let count = content.pointee.reportCount
      guard (0...Self.reportLimit).contains(count) else { return [] }
      return Array(UnsafeRawBufferPointer(start: content + 1, count: count))
    }
    nonmutating set {
      let bytes = newValue.prefix(Self.reportLimit)
      UnsafeMutableRawBufferPointer(start: content + 1, count: bytes.count).copyBytes(from: bytes)
      // Written last, so that the report is either complete or missing.
      content.pointee.reportCount = bytes.count
    }
  }

  /// The latest entries of the app's log, a line each.
  package var log: [String] {
    let bytes = UnsafeRawBufferPointer(start: logStart, count: logCount)
    return String(decoding: bytes, as: UTF8.self).split(separator: "\n")
      .suffix(WatchedApp.logLimit).map(String.init)
  }

  package func append(log lines: [String]) {
    for line in lines {
      var text = line + "\n"
      text.withUTF8 { bytes in
        let bytes = bytes.suffix(Self.logLimit / 2)
        var count = logCount
        if count + bytes.count > Self.logLimit {
          memmove(logStart, logStart + (count - Self.logLimit / 2), Self.logLimit / 2)
          count = Self.logLimit / 2
        }
        UnsafeMutableRawBufferPointer(start: logStart + count, count: bytes.count)
          .copyBytes(from: bytes)
        content.pointee.logCount = count + bytes.count
      }
    }
  }

  /// The size of the log, in bytes; 0 if the field was overwritten with a size that it can't have.
  private var logCount: Int {
    let count = content.pointee.logCount
    return (0...Self.logLimit).contains(count) ? count : 0
  }

  private var logStart: UnsafeMutableRawPointer {
    UnsafeMutableRawPointer(content) + (Self.size - Self.logLimit)
  }

  /// The error because of which the supervisor could not write a report; 0 for none.
  var filingError: Int32 {
    get { content.pointee.filingError }
    nonmutating set { content.pointee.filingError = newValue }
  }

  /// The call that was noted last, of the app's thread or else of the one that codes its steps.
  package var call: (kind: CallRecord.Kind, node: Int, instance: InstanceID?) {
    let call = call(in: record)
    return call.kind == .none ? self.call(in: stepRecord) : call
  }

  /// A call, read byte by byte: a byte that is not a kind of call is none.
  private func call(
    in record: UnsafeMutablePointer<CallRecord>?
  ) -> (kind: CallRecord.Kind, node: Int, instance: InstanceID?) {
    guard let record else { return (.none, 0, nil) }
    func read<Value: BitwiseCopyable>(
      _ path: PartialKeyPath<CallRecord>, _ offset: Int = 0, as type: Value.Type
    ) -> Value {
      UnsafeRawPointer(record).loadUnaligned(
        fromByteOffset: (MemoryLayout<CallRecord>.offset(of: path) ?? 0) + offset, as: type)
    }
    // The layout of the optional identifier: index, generation, and whether it is `nil`.
    let index = read(\.instance, as: UInt32.self)
    let generation = read(\.instance, 4, as: UInt32.self)
    let isMissing = read(\.instance, 8, as: UInt8.self) != 0
    return (
      CallRecord.Kind(rawValue: read(\.kind, as: UInt8.self)) ?? .none, read(\.node, as: Int.self),
      isMissing ? nil : InstanceID(number: UInt64(index) << 32 | UInt64(generation))
    )
  }
}
