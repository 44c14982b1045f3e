internal import Glibc
internal import Navigation
package import Support
internal import Synchronization

/// The folder in which reports of crashes, hangs and refused updates are kept, a file each.
///
/// A supervisor writes those of its workers, when it has started the next one. A process that has no
/// supervisor writes its own as it ends.
package struct CrashFolder: Sendable {
  /// How many reports are kept, and how many of them of refused updates, which a person may cause by
  /// the hour.
  package static let limit = 100
  private static let updateLimit = 20
  /// The size above which a file is not read, in bytes; what is written is below.
  package static let sizeLimit = 128 << 10

  package let path: String

  /// Finds the folder, from the values of environment variables; `nil` if none names it.
  ///
  /// `STATE_DIRECTORY` is what systemd sets for a service.
  package init?(_ variable: (String) -> String?) {
    let service = variable("STATE_DIRECTORY")?.split(separator: ":").first
    if let service, service.hasPrefix("/") {
      path = service + "/crashes"
    } else if let path = FilePath.ofUser("crashes", "XDG_STATE_HOME", or: ".local/state", variable)
    {
      self.path = path
    } else {
      return nil
    }
  }

  /// The reports, by their numbers; none if the folder is missing.
  package func entries() throws(SystemError) -> [(number: Int, path: String)] {
    guard let names = FilePath.names(in: path) else {
      guard errno == ENOENT else { throw SystemError(errno) }
      return []
    }
    return names.compactMap { name in
      Self.number(ofReport: name).map { (number: $0, path: FilePath.join(path, name)) }
    }.sorted { ($0.number, $0.path) < ($1.number, $1.path) }
  }

  /// The number in the name of a report, as in `20261024T081500Z-12.json`; `nil` for another file.
  ///
  /// Without a regular expression: making one takes milliseconds, while the next process starts.
  private static func number(ofReport name: String) -> Int? {
    func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }
    let parts = name.utf8.split(separator: UInt8(ascii: "-"), omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count > 1, parts[0].last == UInt8(ascii: "Z"),
      parts[0].dropLast().allSatisfy({ isDigit($0) || $0 == UInt8(ascii: "T") }),
      name.hasSuffix(".json"), case let digits = parts[1].dropLast(5),
      (1...15).contains(digits.count), digits.allSatisfy(isDigit)
    else { return nil }
    return Int(Substring(digits))
  }

  /// Reads a report.
  package static func read(_ path: String) throws(CrashFileError) -> CrashFile {
    let bytes: [UInt8]
    do throws(SystemError) { bytes = try WholeFile.read(path, limit: sizeLimit) } catch {
      throw CrashFileError("\(error)")
    }
    guard bytes.count <= sizeLimit else { throw CrashFileError("it is damaged") }
    return try CrashFile(bytes)
  }

  /// Writes a report, readable by its owner alone, and removes the oldest above the limit.
  ///
  /// - Returns: its path.
  @discardableResult
  package func add(_ report: CrashFile) throws(SystemError) -> String {
    let error = FilePath.makeFolder(path, mode: 0o700)
    guard FilePath.isFolder(path) else { throw SystemError(error == 0 ? ENOTDIR : error) }
    // It may have been made by somebody else.
    chmod(path, 0o700)
    var entries = try entries()
    let moment = report.time.filter { $0 != "-" && $0 != ":" }
    var number = (entries.last?.number ?? 0) + 1
    var file: String { FilePath.join(path, "\(moment)-\(number).json") }
    while true {
      do throws(SystemError) {
        try FileReplacement.write(report.bytes, to: file, newMode: 0o600, isNew: true)
        break
      } catch {
        // Another process has taken the number meanwhile.
        guard error.code == EEXIST else { throw error }
        number += 1
      }
    }
    entries.append((number, file))
    if report.kind == .refusedUpdate {
      let updates = entries.filter { (try? Self.read($0.path))?.kind == .refusedUpdate }
      for entry in updates.dropLast(Self.updateLimit) { unlink(entry.path) }
    }
    for entry in entries.dropLast(Self.limit) { unlink(entry.path) }
    return file
  }
}

// The reports of this process.
extension CrashFolder {
  /// Where reports about the app of this process are written; `nil` if none are.
  ///
  /// Set once, before other threads exist.
  package nonisolated(unsafe) static var current: CrashFolder?
  /// The process that runs the app: not one that a plugin has forked, whose end is none of the app's.
  private static let process = Atomic<pid_t>(0)

  /// Lets this process, and none that it forks, write the report about its end.
  package static func begin() { process.store(getpid(), ordering: .relaxed) }

  /// The error of the first report that could not be written, until it was reported; then -1.
  private static let failure = Atomic<Int32>(0)
  /// The report about the crash that ends this process.
  private static let own = Mutex<String?>(nil)

  /// How many updates this process has refused.
  package static var refusalCount: Int { refusals.load(ordering: .relaxed) }
  private static let refusals = Atomic(0)

  /// Writes a report about the app of this process, which continues: of a refused update.
  package static func file(_ report: @autoclosure () -> CrashFile) {
    refusals.add(1, ordering: .relaxed)
    do throws(SystemError) { _ = try current?.add(report()) } catch {
      _ = failure.compareExchange(expected: 0, desired: error.code, ordering: .relaxed)
    }
  }

  /// Writes a report about the crash or the hang that ends this process, unless the supervisor does;
  /// a further one replaces it.
  ///
  /// An error is not reported: the last line of the process is the one that names the culprit.
  static func file(_ report: CrashReport, ofApp app: UInt32) {
    guard let current, process.load(ordering: .relaxed) == getpid(),
      SharedCrashPage.current.map({ $0.stage == .ending }) ?? true
    else { return }
    let (identity, log) = WatchedApp.identity(ofApp: app)
    let report = CrashFile(report, in: identity, outcome: .ended, log: log)
    own.withLock { own in
      if let own {
        try? FileReplacement.write(report.bytes, to: own, newMode: 0o600)
      } else {
        own = try? current.add(report)
      }
    }
  }

  /// Returns once that reports can't be written, and why; else `nil`.
  static func takeFailure() -> String? {
    let page = SharedCrashPage.current
    let code = page?.filingError ?? 0
    if code != 0 { page?.filingError = 0 }
    let own = failure.load(ordering: .relaxed)
    guard code > 0 || own > 0, let current else { return nil }
    failure.store(-1, ordering: .relaxed)
    return "crash reports can't be written to \(SafeText.line(shellWord(current.path))): "
      + "\(SystemError(code > 0 ? code : own))"
  }
}
