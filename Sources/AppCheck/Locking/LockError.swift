internal import Glibc
internal import PluginHost
package import Support

package enum LockError: Error {
  case app(AppLoadError)
  /// A file as a whole is refused.
  case refused(path: String, Rejection)
  /// The existing lock has problems.
  case unreadable(path: String, SourceMap, [Diagnostic])
  case differs(path: String, [Rejection])

  package var exitStatus: Int32 {
    switch self {
    case .app(let error): error.exitStatus
    case .refused(_, let cause) where cause.rule == .lockNotWritten: 74
    case .refused(_, let cause) where cause.rule == .lockMissing: 66
    case .refused(_, let cause) where cause.rule == .lockNoVerifier: 69
    default: 65
    }
  }
}

extension LockError: CustomStringConvertible {
  package var description: String {
    switch self {
    case .app(let error): "\(error)"
    case .refused(let path, let cause): [cause].text(about: path)
    case .unreadable(_, let sources, let problems):
      problems.map { DiagnosticRenderer(sources: sources).render($0) }.joined(separator: "\n")
        + "\n  help: "
        + (problems.contains { $0.rule == .lockNewerFormat }
          ? "update appcore" : "'appcore lock' without '--add' writes the lock again")
    case .differs(let path, let differences): differences.text(about: path)
    }
  }
}

extension [Rejection] {
  /// A line for each, with its details; a remedy that several in a row share is printed once.
  package func text(about path: String) -> String {
    var lines: [String] = []
    for (index, cause) in enumerated() {
      lines.append(SafeText.line("\(path): error: \(cause.message) [\(cause.code)]"))
      lines += cause.details.map { "  " + SafeText.line($0) }
      if index == count - 1 || self[index + 1].remedy != cause.remedy {
        lines.append("  help: " + SafeText.line(cause.remedy))
      }
    }
    return lines.joined(separator: "\n")
  }
}

enum LockFile {
  /// Its bytes; `nil` where there is none.
  static func bytes(
    _ path: String, limit: Int = LockReader.sizeLimit
  ) throws(Rejection) -> [UInt8]? {
    func refusal(_ reason: String) -> Rejection {
      Rejection(.lockNotRead, "can't read '\(path)': \(reason)")
    }
    guard let status = FilePath.status(path) else {
      guard errno != ENOENT, errno != ENOTDIR else { return nil }
      throw refusal("\(SystemError(errno))")
    }
    // A pipe or a device would look empty, or never end.
    guard status.isRegular else { throw refusal("it is not a regular file") }
    do throws(SystemError) { return try WholeFile.read(path, limit: limit) } catch {
      throw refusal("\(error)")
    }
  }

  /// The same, throwing a ``LockError``.
  static func given(_ path: String) throws(LockError) -> [UInt8]? {
    do throws(Rejection) { return try bytes(path) } catch {
      throw .refused(path: path, error)
    }
  }

  /// Writes a file, or replaces one that begins with `head`; does not follow links.
  static func write(
    _ bytes: [UInt8], to path: String, over head: String
  ) throws(Rejection) {
    if let status = FilePath.status(path, followsLinks: false) {
      guard status.isRegular else {
        throw Rejection(
          .lockNotWritten, "it can't be written: it is a link, or not a regular file",
          remedy: "remove it, or move it away")
      }
      let former = try LockFile.bytes(path) ?? []
      guard former.isEmpty || former.starts(with: head.utf8) else {
        throw Rejection(
          .lockNotWritten, "it can't be written: there is another file, which is kept",
          remedy: "move it away")
      }
    }
    do throws(SystemError) {
      try FileReplacement.write(
        bytes, to: path, followsLinks: false, newMode: FileReplacement.usualMode)
    } catch {
      throw Rejection(.lockNotWritten, "it can't be written: \(error)")
    }
  }

  static func read(_ path: String, _ bytes: [UInt8]) throws(LockError) -> AppLock {
    var sources = SourceMap()
    let file = sources.add(SourceFile(path: path, bytes: bytes))
    let (lock, problems) = LockReader.read(bytes, file: file)
    guard let lock else { throw .unreadable(path: path, sources, problems) }
    return lock
  }
}
