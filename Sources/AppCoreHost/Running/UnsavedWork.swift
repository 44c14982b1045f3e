@_spi(Host) internal import AppCore
internal import Glibc
internal import Support
internal import Synchronization

/// Something that a feature could not save, and the emergency copy of it.
public struct UnsavedWork: Hashable, Sendable, CustomStringConvertible {
  /// The name that the feature gives it.
  public let name: String
  /// Why it could not be saved.
  public fileprivate(set) var reason: String
  /// The file of the copy; `nil` if there is none.
  public let copy: String?
  /// Why there is no copy.
  public let copyFailure: String?

  /// One line: what was not saved, why, and where the copy is.
  public var description: String {
    let place =
      copy.map { "a copy is in '\($0)'" } ?? "there is no copy either: \(copyFailure ?? "")"
    return "\(name) was not saved: \(reason); \(place)"
  }
}

extension UnsavedWork {
  private struct Kept {
    /// The work that could not be saved, and was not reported yet.
    var failed: [UnsavedWork] = []
    /// The work that is being saved, by the numbers of the saves.
    var held: [Int: UnsavedWork] = [:]
    var count = 0
  }
  private static let kept = Mutex(Kept())

  /// Returns the unsaved work of this process that no earlier call has returned, including what is
  /// still being saved; the copies of that stay, even if it is saved after all.
  static func takeUnreported() -> [UnsavedWork] {
    kept.withLock { kept in
      defer { (kept.failed, kept.held) = ([], [:]) }
      return kept.failed + kept.held.sorted { $0.key < $1.key }.map(\.value)
    }
  }

  /// Adds work that is being saved; returns what to call at the end of the save.
  private static func hold(_ work: UnsavedWork) -> EmergencyCopy.Conclusion {
    let number = kept.withLock { kept in
      kept.count += 1
      kept.held[kept.count] = work
      return kept.count
    }
    return { failure in
      let removed = kept.withLock { kept in
        guard var work = kept.held.removeValue(forKey: number) else { return nil as String? }
        guard let failure else { return work.copy }
        work.reason = failure
        kept.failed.append(work)
        return nil
      }
      if let removed { unlink(removed) }
    }
  }

  /// Makes this process write emergency copies of what features can't save.
  static func installEmergencyCopies() {
    let folder = EmergencyFolder(path: EmergencyFolder.path { ProcessVariables.all[$0] })
    EmergencyCopy.live.value = EmergencyCopy { content in
      let work = folder.keep(content)
      kept.withLock { $0.failed.append(work) }
    } whileSaving: { content in
      // Without waiting for the disk, which is why the copy may be needed.
      var work = folder.keep(content, flushes: false)
      work.reason = "the app ended before it was on the disk"
      return hold(work)
    }
  }
}

/// The folder for emergency copies of what features could not save.
///
/// Only the user can read the files in it.
struct EmergencyFolder: Sendable {
  /// The folder's path; `nil` if the environment does not give one.
  let path: String?

  /// The folder's path in an environment; `nil` if neither variable is an absolute path.
  ///
  /// It is `appcore/unsaved` in `XDG_STATE_HOME`, or in `.local/state` in `HOME`.
  static func path(_ variable: (String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") {
      return state + "/appcore/unsaved"
    }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/appcore/unsaved"
  }

  /// Writes a copy, on the disk if `flushes`; blocks the calling thread.
  func keep(_ content: EmergencyCopy.Content, flushes: Bool = true) -> UnsavedWork {
    let (file, failure) = write(content, flushes: flushes)
    return UnsavedWork(
      name: content.name, reason: content.reason, copy: file, copyFailure: failure)
  }

  private func write(
    _ content: EmergencyCopy.Content, flushes: Bool
  ) -> (path: String?, failure: String?) {
    guard let folder = path else { return (nil, "neither XDG_STATE_HOME nor HOME is set") }
    FilePath.makeFolder(folder, mode: 0o700)
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
      guard let code = Self.fill(file, with: Array(content.text.utf8), flushes: flushes) else {
        return (path, nil)
      }
      unlink(path)
      reason = "can't write '\(path)': \(String(cString: strerror(code)))"
      break
    }
    return (nil, reason)
  }

  /// Writes all bytes to a file, and flushes it to the disk if `flushes`; returns the error number,
  /// `nil` on success.
  private static func fill(_ file: Int32, with bytes: [UInt8], flushes: Bool) -> Int32? {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { bytes in
        Descriptor.uninterrupted { Glibc.write(file, bytes.baseAddress, bytes.count) }
      }
      guard count > 0 else { return count < 0 ? errno : EIO }
      rest = rest.dropFirst(count)
    }
    return !flushes || fsync(file) == 0 ? nil : errno
  }

  /// A file name for a feature's name of its work, with `-` for all but letters, digits and `-_.`.
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
