public import Glibc
internal import Supervision
internal import Support

/// Replaces the C library's `pthread_create` in the whole process, so that every thread gets an
/// alternate stack for signal handlers, and a thread of the app's that ends before its time is
/// noticed.
///
/// This includes the threads of Swift's pool and of plugins. Without an alternate stack, a stack
/// overflow ends the process before the signal handler can name the feature that caused it. The
/// replacement works because the dynamic loader searches the program before its libraries.
///
/// - Returns: 0, or the error number of `pthread_create`; ENOSYS if that is not found.
@c(pthread_create)
public func startThread(
  _ thread: UnsafeMutablePointer<pthread_t>?, _ attributes: UnsafeRawPointer?,
  _ body: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  guard let create = ThreadStart.create else { return ENOSYS }
  let start = UnsafeMutablePointer<ThreadStart>.allocate(capacity: 1)
  start.initialize(to: ThreadStart(body: body, argument: argument))
  let status = create(thread, attributes, ThreadStart.run, start)
  if status != 0 { start.deallocate() }
  return status
}

/// The function that a new thread runs, with its argument.
private struct ThreadStart {
  typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  typealias Create =
    @convention(c) (
      UnsafeMutablePointer<pthread_t>?, UnsafeRawPointer?, Body, UnsafeMutableRawPointer?
    ) -> Int32

  let body: UnsafeMutableRawPointer?
  let argument: UnsafeMutableRawPointer?

  /// The C library's `pthread_create`, or a sanitizer's.
  static let create: Create? = {
    // RTLD_NEXT
    let next = UnsafeMutableRawPointer(bitPattern: -1)
    let found = dlsym(nil, "__interceptor_pthread_create") ?? dlsym(next, "pthread_create")
    return found.map { unsafeBitCast($0, to: Create.self) }
  }()

  /// The start routine of every thread: sets up the signal stack, then calls the given function.
  static let run: Body = { context in
    guard let context else { return nil }
    let start = context.assumingMemoryBound(to: ThreadStart.self)
    let (body, argument) = (start.pointee.body, start.pointee.argument)
    start.deallocate()
    SignalStack.give()
    guard let body else { return nil }
    pthread_setspecific(key, UnsafeMutableRawPointer(bitPattern: 1))
    defer { pthread_setspecific(key, nil) }
    return unsafeBitCast(body, to: Body.self)(argument)
  }

  /// Its destructor is called where a thread ends without returning from its body.
  private static let key: pthread_key_t = {
    var key = pthread_key_t()
    pthread_key_create(&key) { _ in ProcessExit.threadDidExit() }
    return key
  }()
}
