@_spi(Host) internal import AppCore

/// A record of the store thread's current call to a feature, written before the call.
///
/// Plain memory, so that recording a call costs a few stores, and a signal handler that interrupts
/// the thread can read it: the thread is stopped then.
public struct CallRecord: @unchecked Sendable {
  // Unchecked: of the action only the address is kept, which others read as long as it lives.
  /// The kind of call.
  public enum Kind: UInt8, Sendable {
    /// None: no recorded call is running.
    case none
    /// An action is reduced.
    case action
    /// The state of a new instance is made.
    case initialState
    /// The effects of a new instance are asked for.
    case didStart
    /// The screen is made.
    case screen
    /// A state is taken over from a former build.
    case takeOver
    /// The effects of an instance whose plugin was replaced are asked for.
    case didRestore
    /// The effects of an instance are asked for, as the app is about to end.
    case willEnd
    /// A state is coded, to be kept.
    case encode
  }

  public var kind = Kind.none
  /// The index of the feature's node.
  public var node = 0
  /// The instance; `nil` if there is none yet.
  public var instance: InstanceID?
  /// Where the action lies, of a record of that kind.
  public var action: UnsafeRawPointer?

  /// A record of nothing.
  public init() {}
}

/// The place where one app's calls are noted.
public final class CallRecorder: @unchecked Sendable {
  // Unchecked: written on the store's thread only, and read there or while that stands still.
  public let record: UnsafeMutablePointer<CallRecord>
  /// The app's number; with it the scopes of its effects are told from those of other apps.
  public let app: UInt32
  private let isShared: Bool

  /// Creates a sheet.
  public init(app: UInt32 = 0) {
    self.app = app
    isShared = false
    record = .allocate(capacity: 1)
    record.initialize(to: CallRecord())
  }

  /// Creates a sheet in memory that outlives the process.
  package init(app: UInt32, on page: WorkerPage) {
    self.app = app
    isShared = true
    record = page.record
  }

  deinit { if !isShared { record.deallocate() } }

  /// Notes a call while `body` makes it.
  public func during<Result, Failure: Error>(
    _ kind: CallRecord.Kind, node: Int, instance: InstanceID?,
    _ body: () throws(Failure) -> Result
  ) throws(Failure) -> Result {
    record.pointee.node = node
    record.pointee.instance = instance
    record.pointee.kind = kind
    defer { record.pointee.kind = .none }
    return try body()
  }
}

extension UnsafeMutablePointer<CallRecord> {
  /// Notes that an action is reduced.
  ///
  /// On the record and not on its sheet, which would be retained for every action.
  @inline(__always)
  func begin(_ action: AnyAction, node: Int, instance: InstanceID) {
    pointee.action = action.address
    pointee.node = node
    pointee.instance = instance
    pointee.kind = .action
  }

  @inline(__always)
  func end() { pointee.kind = .none }
}

/// What the effects of an instance belong to: they end with it, and can be told of by it.
public struct InstanceScope: Hashable, Sendable {
  public let id: InstanceID
  /// The index of the instance's node.
  public let node: UInt32
  /// The number of its app.
  public let app: UInt32

  init(_ id: InstanceID, node: Int = 0, app: UInt32) {
    self.id = id
    self.node = UInt32(truncatingIfNeeded: node)
    self.app = app
  }

  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
