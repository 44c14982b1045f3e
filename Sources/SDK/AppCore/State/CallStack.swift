internal import Glibc

/// The remaining stack of the current thread, and the release of objects that are nested too deeply
/// for it.
///
/// Reducing children within children is recursion, and so is releasing a box that holds a box: on a
/// thread with a small stack both overflow after a few thousand levels. Reducing checks ``isLow``
/// and drops the action; releasing continues on a thread whose stack is large enough.
enum CallStack {
  /// The remaining stack, in bytes, below which a release moves to another thread.
  private static let reserve = 128 << 10
  /// The stack size of the other thread, in bytes; reserved, and used only as far as it is touched.
  private static let stackSize = 8 << 30

  /// Releases the value at `pointer` and its memory, here or on a thread with more stack.
  static func release<Value>(_ pointer: UnsafeMutablePointer<Value>) {
    guard isLow else {
      pointer.deinitialize(count: 1)
      pointer.deallocate()
      return
    }
    runOnLargeStack(Parcel(pointer))
  }

  /// Releases `value` on a thread with more stack, if this one has little left.
  ///
  /// For the `deinit` of an object that may own a chain of others, one for each level of nested
  /// children. With enough stack it does nothing: the object's own release does the work.
  static func release<Value>(_ value: inout Value?) {
    guard isLow else { return }
    let parcel = Parcel(value)
    value = nil
    runOnLargeStack(parcel)
  }

  /// Whether the current thread has little stack left.
  static var isLow: Bool {
    var here: UInt8 = 0
    return withUnsafePointer(to: &here) { UInt(bitPattern: $0) < lowest() &+ UInt(reserve) }
  }

  /// The lowest address of the current thread's stack.
  private static func lowest() -> UInt {
    if let known = pthread_getspecific(key) { return UInt(bitPattern: known) }
    var attributes = pthread_attr_t()
    guard getAttributes(pthread_self(), &attributes) == 0 else { return 0 }
    defer { pthread_attr_destroy(&attributes) }
    var address: UnsafeMutableRawPointer?
    var size = 0
    guard pthread_attr_getstack(&attributes, &address, &size) == 0 else { return 0 }
    pthread_setspecific(key, address)
    return UInt(bitPattern: address)
  }

  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key, nil)
    return key
  }()

  private typealias GetAttributes =
    @convention(c) (pthread_t, UnsafeMutablePointer<pthread_attr_t>) -> Int32

  /// `pthread_getattr_np`, which Swift's Glibc does not export.
  private static let getAttributes: GetAttributes = {
    guard let symbol = dlsym(nil, "pthread_getattr_np") else { return { _, _ in ENOSYS } }
    return unsafeBitCast(symbol, to: GetAttributes.self)
  }()

  /// A value of any type that is to be released on another thread.
  private final class Parcel {
    private var content: Any?
    private let release: () -> Void

    init<Value>(_ pointer: UnsafeMutablePointer<Value>) {
      release = {
        pointer.deinitialize(count: 1)
        pointer.deallocate()
      }
    }

    init<Value>(_ value: Value?) {
      content = value
      release = {}
    }

    func open() {
      release()
      content = nil
    }
  }

  private static func runOnLargeStack(_ parcel: Parcel) {
    var attributes = pthread_attr_t()
    pthread_attr_init(&attributes)
    defer { pthread_attr_destroy(&attributes) }
    var size = stackSize
    var thread = pthread_t()
    let context = Unmanaged.passRetained(parcel)
    while size > reserve * 2 {
      pthread_attr_setstacksize(&attributes, size)
      let status = pthread_create(
        &thread, &attributes,
        { context in
          guard let context else { return nil }
          Unmanaged<Parcel>.fromOpaque(context).takeRetainedValue().open()
          return nil
        }, context.toOpaque())
      if status == 0 {
        // Wait for it, as a direct release would.
        pthread_join(thread, nil)
        return
      }
      size /= 2
    }
    // If no thread can be created, leak the state instead of crashing.
    _ = context
  }
}
