internal import Glibc
internal import Navigation
internal import Support

/// The service manager that has started this process, such as systemd: it is told when the app is
/// ready, that it ends, and while it responds; the protocol is that of `sd_notify(3)`.
///
/// Only the process that was started says so, which a service manager accepts without being told to: with
/// a supervisor that is the supervisor.
package enum ServiceManager {
  private struct Manager {
    let socket: String
    let process: pid_t
    /// How often it expects to hear that the app responds, in nanoseconds; `nil` for never.
    let timeout: Int?
    /// The messages that it is sent once, and was.
    var told: Set<String> = []
    /// When it heard that last, and the progress of the app's thread then.
    var alive = (time: 0, progress: 0)
  }

  private static let manager = Locked<Manager?>(nil)

  /// Finds the service manager in the process's environment; called before there is another process.
  package static func begin(_ variable: (String) -> String?) {
    guard let socket = variable("NOTIFY_SOCKET"), socket.hasPrefix("/") || socket.hasPrefix("@")
    else { return }
    let isWatched = variable("WATCHDOG_PID").map { $0 == "\(getpid())" } ?? true
    let timeout = isWatched ? variable("WATCHDOG_USEC").flatMap(Int.init) : nil
    manager.withLock {
      $0 = Manager(
        socket: socket, process: getpid(),
        timeout: timeout.flatMap { $0 > 0 ? min($0, .max / 1000) * 1000 : nil })
    }
  }

  /// How long it may take until ``tellAlive(progress:)`` is called again, in milliseconds; `nil` if that
  /// does not matter.
  package static var interval: Int? {
    manager.withLock { $0.flatMap { $0.timeout.map { max($0 / 4_000_000, 1) } } }
  }

  private static let ready = "READY=1"

  /// Whether ``tellReady()`` has yet to be called.
  static var awaitsReadiness: Bool {
    manager.withLock { $0.map { !$0.told.contains(ready) } ?? false }
  }

  /// Tells that the app shows its first screen.
  package static func tellReady() { tellOnce(ready) }

  /// Tells that the process ends.
  package static func tellStopping() { tellOnce("STOPPING=1") }

  private static func tellOnce(_ message: String) {
    tell(message) { $0.told.insert(message).inserted }
  }

  /// Tells that the app responds, unless it is at the same piece of work as the last time.
  ///
  /// `progress` is odd while the app's thread is at work.
  static func tellAlive(progress: Int) {
    tell("WATCHDOG=1") { manager in
      let now = MonotonicTime.now()
      let isStuck = progress % 2 != 0 && progress == manager.alive.progress
      guard let timeout = manager.timeout, now - manager.alive.time >= timeout / 4, !isStuck else {
        return false
      }
      manager.alive = (now, progress)
      return true
    }
  }

  /// Sends a message if this is the process that was started, and it is due; one that could not be sent
  /// stays due.
  private static func tell(_ message: String, if isDue: (inout Manager) -> Bool) {
    manager.withLock { manager in
      guard var current = manager, current.process == getpid(), isDue(&current),
        send(message, to: current.socket)
      else { return }
      manager = current
    }
  }

  /// Sends a message if that is possible at once; an app does not wait for its service manager.
  private static func send(_ message: String, to socket: String) -> Bool {
    // SOCK_CLOEXEC, SOCK_NONBLOCK
    let descriptor = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | 0o2_000_000 | 0o4000, 0)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    var path = Array(socket.utf8)
    // A name of the abstract namespace, which is no file.
    if path[0] == UInt8(ascii: "@") { path[0] = 0 }
    guard path.count < MemoryLayout.size(ofValue: address.sun_path) else { return false }
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
    let size = MemoryLayout<sa_family_t>.size + path.count
    return withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        sendto(descriptor, message, message.utf8.count, 0, $0, socklen_t(size)) >= 0
      }
    }
  }
}
