@_spi(Host) internal import AppCore
internal import Glibc
internal import Synchronization

/// What a feature could not save, and where a copy of it is.
public struct UnsavedWork: Hashable, Sendable, CustomStringConvertible {
  /// What it is called.
  public let name: String
  /// Why it could not be saved.
  public let reason: String
  /// The file of the copy; `nil` where there is none.
  public let copy: String?
  /// Why there is no copy.
  public let copyFailure: String?

  /// What was not saved, why, and where it is.
  public var description: String {
    let place =
      copy.map { "a copy is in '\($0)'" } ?? "there is no copy either: \(copyFailure ?? "")"
    return "\(name) was not saved: \(reason); \(place)"
  }
}

extension UnsavedWork {
  private static let kept = Mutex<[UnsavedWork]>([])

  /// Takes the work that features of this process could not save, and that is not reported yet.
  static func takeAll() -> [UnsavedWork] {
    kept.withLock { kept in
      defer { kept = [] }
      return kept
    }
  }

  /// Has this process keep what features can't save.
  static func beginKeeping() {
    let folder = EmergencyFolder(path: EmergencyFolder.path { ProcessVariables.all[$0] })
    EmergencyCopy.live.provide(
      EmergencyCopy { content in
        let work = folder.keep(content)
        kept.withLock { $0.append(work) }
      })
  }
}

/// Where copies go of what features could not save, in files that only this user can read.
struct EmergencyFolder: Sendable {
  /// `nil` where there is no place for them.
  let path: String?

  /// Where the environment says that copies go: `appcore/unsaved` in `XDG_STATE_HOME`, which must be
  /// an absolute path, or in `~/.local/state`.
  static func path(_ variable: (String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/appcore/unsaved"
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/appcore/unsaved"
  }

  /// Writes a copy; blocks its thread meanwhile.
  func keep(_ content: EmergencyCopy.Content) -> UnsavedWork {
    let (file, failure) = write(content)
    return UnsavedWork(
      name: content.name, reason: content.reason, copy: file, copyFailure: failure)
  }

  private func write(_ content: EmergencyCopy.Content) -> (path: String?, failure: String?) {
    guard let folder = path else { return (nil, "neither XDG_STATE_HOME nor HOME is set") }
    var made = ""
    for part in folder.split(separator: "/") {
      made += "/" + part
      _ = mkdir(made, 0o700)
    }
    let moment = DependencyValues().date.now.description
    var reason = ""
    for attempt in 1...100 {
      let number = attempt == 1 ? "" : "-\(attempt)"
      let path = "\(folder)/\(moment)\(number)-\(Self.fileName(content.name))"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        reason = "can't create '\(path)': \(String(cString: strerror(errno)))"
        if errno == EEXIST { continue }
        break
      }
      defer { close(file) }
      guard let code = Self.fill(file, with: Array(content.text.utf8)) else { return (path, nil) }
      unlink(path)
      reason = "can't write '\(path)': \(String(cString: strerror(code)))"
      break
    }
    return (nil, reason)
  }

  /// - Returns: the reason where not all could be written.
  private static func fill(_ file: Int32, with bytes: [UInt8]) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { Glibc.write(file, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return fsync(file) == 0 ? nil : errno
  }

  /// What a file can be called whose content a feature names.
  static func fileName(_ name: String) -> String {
    var result = ""
    for character in name {
      let isPlain =
        character.isLetter || character.isNumber || "-_.".contains(character)
      result.append(isPlain ? character : "-")
      if result.utf8.count > 120 { break }
    }
    return result
  }
}
