public import Glibc
internal import Support

/// Takes the place of the C library's function, for the whole process: every thread, those of Swift's
/// pool and a plugin's own among them, gets a stack for the handlers of signals.
///
/// Without one, a thread whose stack has run out ends the process before anybody can say whose code
/// it ran. The dynamic loader finds the program's functions before those of its libraries.
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

/// What a new thread is to run.
private struct ThreadStart {
  typealias Body = @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer?
  typealias Create =
    @convention(c) (
      UnsafeMutablePointer<pthread_t>?, UnsafeRawPointer?, Body, UnsafeMutableRawPointer?
    ) -> Int32

  let body: UnsafeMutableRawPointer?
  let argument: UnsafeMutableRawPointer?

  /// The function of the C library, or of a sanitizer.
  static let create: Create? = {
    // RTLD_NEXT
    let next = UnsafeMutableRawPointer(bitPattern: -1)
    let found = dlsym(nil, "__interceptor_pthread_create") ?? dlsym(next, "pthread_create")
    return found.map { unsafeBitCast($0, to: Create.self) }
  }()

  /// Runs on the new thread.
  static let run: Body = { context in
    guard let context else { return nil }
    let start = context.assumingMemoryBound(to: ThreadStart.self)
    let (body, argument) = (start.pointee.body, start.pointee.argument)
    start.deallocate()
    SignalStack.give()
    guard let body else { return nil }
    return unsafeBitCast(body, to: Body.self)(argument)
  }
}
