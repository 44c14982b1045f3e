internal import Glibc
internal import Supervision

/// Replaces the unwinder's `_Unwind_Backtrace` in the whole process, so that Swift's library does
/// not print all calls onto the terminal of an app that a supervisor restores.
///
/// The library does that in a fatal error if the toolchain's backtracer is missing, as on machines
/// without a toolchain; there is no other way to turn it off after the start. `:explain crash` shows
/// the calls. All others get what they ask for.
///
/// - Returns: what the unwinder returns: 5 at the end of the stack.
@c(_Unwind_Backtrace)
public func traceCalls(
  _ visit: UnsafeMutableRawPointer?, _ argument: UnsafeMutableRawPointer?
) -> Int32 {
  guard let trace = CallTracing.trace, let visit else { return 5 }
  let isRestored = SharedCrashPage.current != nil && Worker.current?.input == nil
  if isRestored, CallTracing.isFatalError() { return 5 }
  return trace(unsafeBitCast(visit, to: CallTracing.Visit.self), argument)
}

/// The unwinder's function, and who has called it.
private enum CallTracing {
  typealias Visit = @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Int32
  typealias Trace = @convention(c) (Visit, UnsafeMutableRawPointer?) -> Int32
  typealias Position = @convention(c) (OpaquePointer?) -> UInt
  typealias Describe =
    @convention(c) (UnsafeRawPointer?, UnsafeMutablePointer<UnsafeRawPointer?>) -> Int32

  // RTLD_NEXT
  static let trace = dlsym(UnsafeMutableRawPointer(bitPattern: -1), "_Unwind_Backtrace").map {
    unsafeBitCast($0, to: Trace.self)
  }
  static let position = dlsym(nil, "_Unwind_GetIP").map { unsafeBitCast($0, to: Position.self) }
  static let describe = dlsym(nil, "dladdr").map { unsafeBitCast($0, to: Describe.self) }

  /// Whether one of the innermost calls is that of Swift's library which reports a fatal error.
  static func isFatalError() -> Bool {
    var search = (left: 8, isFound: false)
    _ = trace?(
      { context, search in
        guard let search = search?.assumingMemoryBound(to: (left: Int, isFound: Bool).self),
          let address = UnsafeRawPointer(bitPattern: CallTracing.position?(context) ?? 0)
        else { return 5 }
        var info: [UnsafeRawPointer?] = [nil, nil, nil, nil]
        if CallTracing.describe?(address, &info) ?? 0 != 0, let name = info[2],
          strcmp(name.assumingMemoryBound(to: CChar.self), "swift_reportError") == 0
        {
          search.pointee.isFound = true
        }
        search.pointee.left -= 1
        return search.pointee.left > 0 && !search.pointee.isFound ? 0 : 5
      }, &search)
    return search.isFound
  }
}
