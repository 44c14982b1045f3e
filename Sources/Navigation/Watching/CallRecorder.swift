@_spi(Host) internal import AppCore

/// A record of the store thread's current call to a feature, written before the call.
///
/// It is plain memory, so that recording a call costs a few stores, and a signal handler that
/// interrupts the thread can read it.
public struct CallRecord: @unchecked Sendable {
  // Unchecked: it holds an action's address, which is read only while the action is alive.
  /// What is called.
  public enum Kind: UInt8, Sendable {
    /// None: no recorded call is running.
    case none
    case action
    /// The state of a new instance is made.
    case initialState
    /// The effects of a new instance are asked for.
    case didStart
    case screen
    /// A state is decoded, from that of a former build or from a session image.
    case takeOver
    /// The effects of an instance that was carried over or restored are asked for.
    case didRestore
    /// The effects with which an instance ends are asked for.
    case willEnd
    /// A state is encoded for the session image.
    case encode
  }

  public var kind = Kind.none
  /// The index of the feature's node.
  public var node = 0
  /// The instance; `nil` if there is none yet.
  public var instance: InstanceID?
  /// The address of the action, if `kind` is ``Kind/action``.
  public var action: UnsafeRawPointer?

  public init() {}
}

/// Records the calls of one app's store to features.
public final class CallRecorder: @unchecked Sendable {
  // Unchecked: written only on the store's thread, and read there or while that thread is stopped.
  public let record: UnsafeMutablePointer<CallRecord>
  /// The number of the app, which its scopes carry so that a crash can be attributed to it.
  public let app: UInt32
  private let isShared: Bool

  /// Creates a recorder; `shared` is an initialized record in memory that outlives the process, and
  /// `nil` for memory that this recorder owns.
  public init(app: UInt32 = 0, on shared: UnsafeMutablePointer<CallRecord>? = nil) {
    self.app = app
    isShared = shared != nil
    if let shared {
      record = shared
    } else {
      record = .allocate(capacity: 1)
      record.initialize(to: CallRecord())
    }
  }

  deinit { if !isShared { record.deallocate() } }

  /// Records a call while `body` makes it.
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
  /// Records that an action is being reduced.
  ///
  /// It is a method of the record because the recorder would be retained for each action.
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

/// The scope of an instance's effects, which end with it; a report names the instance by it.
public struct InstanceScope: Hashable, Sendable {
  public let id: InstanceID
  /// The index of the instance's node.
  public let node: UInt32
  /// The number of its app.
  public let app: UInt32

  package init(_ id: InstanceID, node: Int = 0, app: UInt32) {
    self.id = id
    self.node = UInt32(truncatingIfNeeded: node)
    self.app = app
  }

  public static func == (left: Self, right: Self) -> Bool { left.id == right.id }

  public func hash(into hasher: inout Hasher) { hasher.combine(id) }
}
