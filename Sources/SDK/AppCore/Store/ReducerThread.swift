internal import Glibc

/// A thread on which stores reduce: the position of the reducer that runs now, and the stack that is
/// left.
///
/// A reducer is synchronous, so its store's position is that of the thread, also where a reducer runs
/// another one by hand.
@usableFromInline
final class ReducerThread {
  /// The position of the reducer that runs now; `nil` while no effects of children run.
  var cursor: EffectCursor?
  /// Takes down what reducers read of date, ids and random numbers; `nil` where nothing does.
  var tape: DependencyTape?
  /// The lowest address of the stack.
  private let lowest: UInt

  private init(lowest: UInt) { self.lowest = lowest }

  /// Whether there is enough stack for the children of one more level.
  ///
  /// Reducing children within children is recursion, which overflows the stack of a small thread
  /// after some thousand levels.
  var hasStack: Bool {
    var here: UInt8 = 0
    return withUnsafePointer(to: &here) { UInt(bitPattern: $0) > lowest &+ Self.reserve }
  }

  /// What an action for the children of one more level may need, in bytes.
  private static let reserve: UInt = 128 << 10

  static var current: ReducerThread {
    if let known = pthread_getspecific(key) {
      return Unmanaged<ReducerThread>.fromOpaque(known).takeUnretainedValue()
    }
    let made = ReducerThread(lowest: lowestAddress())
    pthread_setspecific(key, Unmanaged.passRetained(made).toOpaque())
    return made
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { known in
      if let known { Unmanaged<ReducerThread>.fromOpaque(known).release() }
    }
    return key
  }()

  private static func lowestAddress() -> UInt {
    var attributes = pthread_attr_t()
    guard let getAttributes, getAttributes(pthread_self(), &attributes) == 0 else { return 0 }
    defer { pthread_attr_destroy(&attributes) }
    var address: UnsafeMutableRawPointer?
    var size = 0
    guard pthread_attr_getstack(&attributes, &address, &size) == 0 else { return 0 }
    return UInt(bitPattern: address)
  }

  private typealias GetAttributes =
    @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

  /// `pthread_getattr_np`, which Swift's Glibc does not export.
  private static var getAttributes: GetAttributes? {
    dlsym(nil, "pthread_getattr_np").map { unsafeBitCast($0, to: GetAttributes.self) }
  }
}
