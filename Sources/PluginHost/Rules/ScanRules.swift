internal import Glibc
package import Support

// The requirements for a plugin's behavior in the process that scans it.
extension Rule {
  static let scanNotStarted = Rule(
    "scan-not-started",
    means: "The process that scans plugins could not be started, or is not a plugin scanner. No "
      + "plugin code ran.",
    remedy: "Check the installation of appcore, and `APPCORE_SCANNER` if that is set.")

  static let scanCrashed = Rule(
    "scan-crashed",
    means: "A signal ended the process that scanned the plugin. The message says whether the "
      + "plugin was being loaded or asked for its features; its last output follows.",
    remedy: "Fix the plugin; it is in quarantine until its file, a library that it brings along or "
      + "the SDK changes, and `--rescan` tries it again at once.")

  static let scanFailed = Rule(
    "scan-failed",
    means: "The plugin ended the process that scanned it, for example by calling `exit`.",
    remedy: "Fix the plugin: loading it and naming its features must not end the program; it is in "
      + "quarantine until its file changes, and `--rescan` tries it again at once.")

  static let scanTimeout = Rule(
    "scan-timeout", means: "The plugin took too long when it was loaded, twice.",
    remedy: "Fix the plugin: when it is loaded, it must only name its features; `--rescan` tries "
      + "it again, if the machine was merely busy.")

  static let scanFlood = Rule(
    "scan-flood", means: "The plugin wrote too much when it was loaded.",
    remedy: "Fix the plugin: it must not write when it is loaded; `--rescan` tries it again.")

  static let scanMemory = Rule(
    "scan-memory",
    means: "The plugin used nearly all the memory that a scan allows. It is refused even if it "
      + "would survive a failed allocation, because the host has no such limit.",
    remedy: "Allocate memory when a feature needs it, not when the plugin is loaded; `--rescan` "
      + "tries it again.")

  static let scanOutput = Rule(
    "scan-output", means: "The answer of the scanning process can't be parsed.",
    remedy: "Build the plugin again; if that does not help, this is a bug in appcore.")

  static let scanRules: [Rule] = [
    .scanNotStarted, .scanCrashed, .scanFailed, .scanTimeout, .scanFlood, .scanMemory, .scanOutput,
  ]
}

extension Rejection {
  static func scanNotStarted(executable: String, error: Int32) -> Rejection {
    let remedy: String? =
      switch error {
      case EAGAIN:
        "raise the limit of processes (`ulimit -u`) or end some: the plugin is asked in a process "
          + "of its own"
      case ENOMEM:
        "raise the limit of memory (`ulimit -v`) or end some programs: the plugin is asked in a "
          + "process of its own"
      case EMFILE, ENFILE: "raise the limit of open files (`ulimit -n`)"
      default: nil
      }
    return Rejection(
      .scanNotStarted, "'\(executable)' can't be started: \(errorText(error))", remedy: remedy)
  }

  /// The process is not a plugin scanner, or one of another version.
  static func scannerUnfit(executable: String, reason: String, errorTail: String) -> Rejection {
    Rejection(
      .scanNotStarted, "'\(executable)' does not scan plugins: \(reason)",
      details: lines(of: errorTail))
  }

  /// A signal ended the process; `isFault` says whether it is one that code causes in its own
  /// process.
  static func scanSignal(
    _ signal: Int32, _ step: ScanStep, errorTail: String, isFault: Bool
  ) -> Rejection {
    Rejection(
      .scanCrashed,
      "it ended the scanning process with signal \(signal) (\(signalName(signal))) \(step.words)",
      details: lines(of: errorTail),
      remedy: isFault ? nil : "fix the plugin, if this happens again")
  }

  static func scanStatus(_ status: Int32, _ step: ScanStep, errorTail: String) -> Rejection {
    Rejection(
      .scanFailed, "it ended the scanning process with status \(status) \(step.words)",
      details: lines(of: errorTail))
  }

  static func scanTimeout(_ time: Duration, _ step: ScanStep, errorTail: String) -> Rejection {
    Rejection(
      .scanTimeout, "it took more than \(seconds(time)) \(step.words)",
      details: lines(of: errorTail))
  }

  /// The limit is in bytes.
  static func scanFlood(limit: Int, _ step: ScanStep, errorTail: String) -> Rejection {
    Rejection(
      .scanFlood, "it wrote more than \(limit) bytes \(step.words)",
      details: lines(of: errorTail))
  }

  /// Both `use` and `limit` are in bytes.
  static func scanMemory(
    _ use: UInt64, limit: UInt64, _ step: ScanStep, errorTail: String
  ) -> Rejection {
    Rejection(
      .scanMemory,
      "it took \(use >> 20) MiB of memory \(step.words), where \(limit >> 20) MiB is the limit",
      details: lines(of: errorTail))
  }

  package static func scanOutput(_ reason: String) -> Rejection {
    Rejection(.scanOutput, "what it sent can't be understood: \(reason)")
  }

  /// The last lines of standard error, without the stack trace that Swift's runtime prints after
  /// its message: it shows addresses of this program, which do not help.
  private static func lines(of errorTail: String) -> [String] {
    let lines = errorTail.split(whereSeparator: \.isNewline)
    let words = lines.prefix { $0 != "Current stack trace:" }
    return (words.isEmpty ? lines[...] : words).suffix(5).map { "stderr: \($0)" }
  }
}

extension ScanStep {
  fileprivate var words: String {
    switch self {
    case .load: "while it was loaded"
    case .ask: "while it was asked for its features"
    }
  }
}

private func seconds(_ time: Duration) -> String {
  let (whole, rest) = time.components
  let milliseconds = rest / 1_000_000_000_000_000
  return milliseconds == 0 ? "\(whole) s" : "\(whole * 1000 + milliseconds) ms"
}

/// The name that `kill -l` prints, with its prefix.
private func signalName(_ signal: Int32) -> String {
  switch signal {
  case SIGABRT: "SIGABRT, aborted"
  case SIGBUS: "SIGBUS, bus error"
  case SIGFPE: "SIGFPE, arithmetic error"
  case SIGHUP: "SIGHUP, hangup"
  case SIGILL: "SIGILL, illegal instruction"
  case SIGINT: "SIGINT, interrupted"
  case SIGKILL: "SIGKILL, killed"
  case SIGPIPE: "SIGPIPE, broken pipe"
  case SIGSEGV: "SIGSEGV, invalid memory access"
  case SIGSYS: "SIGSYS, a system call that reaches another process"
  case SIGTERM: "SIGTERM, terminated"
  case SIGTRAP: "SIGTRAP, trap"
  case SIGXCPU: "SIGXCPU, processor time used up"
  default: "unnamed"
  }
}
