internal import Glibc
internal import Support
internal import Synchronization

/// The descriptors that the program itself uses, and that other code in its process must not close.
///
/// Once one is closed, the next file that is opened has its number, and what the program writes goes
/// there. So that is a crash: the process ends, and its supervisor restores the app in another one.
package enum OwnDescriptors {
  private struct Watched {
    let number: Int32
    let name: String
    let identity: [UInt64]
    let mayBeRedirected: Bool

    /// Whether it is closed, or was and belongs to another file now.
    ///
    /// Libraries that print too much get their output redirected by `dup2`, possibly for a moment,
    /// which does not set FD_CLOEXEC; files that the program opens have it.
    var isLost: Bool {
      guard let now = Descriptor.status(number)?.identity else { return true }
      return now != identity && (!mayBeRedirected || fcntl(number, F_GETFD) & FD_CLOEXEC != 0)
    }
  }

  private static let watched = Mutex<[Watched]>([])
  /// The range in which ``timersOpened(by:)`` looks for new descriptors.
  private static let limit: Int32 = 256

  /// Watches descriptors until ``unwatch(_:)``.
  ///
  /// - Parameters:
  ///   - numbers: the descriptors; those that are not open are ignored.
  ///   - name: what they are, in words that follow "the app's".
  ///   - mayBeRedirected: whether they may become those of other files, as by `dup2`.
  package static func watch(_ numbers: [Int32], _ name: String, mayBeRedirected: Bool = false) {
    let new = numbers.compactMap { number in
      Descriptor.status(number).map {
        Watched(
          number: number, name: name, identity: $0.identity, mayBeRedirected: mayBeRedirected)
      }
    }
    watched.withLock { $0 += new }
  }

  /// Stops watching descriptors, which may be closed now.
  package static func unwatch(_ numbers: [Int32]) {
    watched.withLock { $0.removeAll { numbers.contains($0.number) } }
  }

  /// The descriptors of timers that `body` opens and leaves open; call it before plugins are loaded.
  ///
  /// Other threads may open and close files meanwhile, so only what timers are made of counts.
  package static func timersOpened(by body: () -> Void) -> [Int32] {
    let before = Set((0..<limit).filter(isOpen))
    body()
    return (0..<limit).filter { isOpen($0) && !before.contains($0) && isOfTimers($0) }
  }

  private static func isOpen(_ number: Int32) -> Bool { fcntl(number, F_GETFD) >= 0 }

  private static func isOfTimers(_ number: Int32) -> Bool {
    ["anon_inode:[eventpoll]", "anon_inode:[timerfd]", "anon_inode:[eventfd]"]
      .contains(FilePath.linkTarget("/proc/self/fd/\(number)"))
  }

  /// What was closed, in words; `nil` if nothing was.
  static var lost: String? {
    watched.withLock { watched in
      watched.first(where: \.isLost).map { "the app's \($0.name) was closed" }
    }
  }

  /// Ends the process as a crash if one of the descriptors was closed.
  ///
  /// Nobody knows which code has done it; the feature that was called last is named.
  package static func endIfClosed() {
    guard let cause = lost, SharedCrashPage.current?.stage != .ending else { return }
    // If it was not the first, another thread has noticed it, or has crashed because of it.
    guard SnapshotHandoff.claimEnd() else { return }
    // Killed: exit handlers and other threads may use what was closed.
    (WatchedThreads.latest ?? ThreadSnapshot())
      .endProcess(because: cause, blamesLast: true, kills: true)
  }
}
