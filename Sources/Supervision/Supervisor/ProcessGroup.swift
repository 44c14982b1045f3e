internal import Glibc
internal import Support

/// The process group of this process, which a shell with job control may stop and continue.
enum ProcessGroup {
  /// Whether nobody would continue this group if it stopped: it has no parent in its session.
  ///
  /// That is POSIX's orphaned process group, in which the kernel ignores SIGTSTP for that reason.
  static var isOrphaned: Bool {
    let group = getpgrp()
    var parent = getppid()
    // The group's first process may be an ancestor, such as a script that runs the app.
    while parent > 0, getpgid(parent) == group {
      guard let next = Self.parent(of: parent) else { return true }
      parent = next
    }
    // 0 is outside of the container.
    return parent == 0 || getsid(parent) != getsid(0)
  }

  private static func parent(of process: pid_t) -> pid_t? {
    guard let stat = try? WholeFile.read("/proc/\(process)/stat") else { return nil }
    // Behind the name, which may contain anything: the state, then the parent.
    let fields = String(decoding: stat, as: UTF8.self).split(separator: ")").last?
      .split(separator: " ")
    return fields?.dropFirst().first.flatMap { pid_t($0) }
  }
}
