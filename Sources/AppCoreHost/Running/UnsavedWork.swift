@_spi(Host) internal import AppCore
internal import Glibc
internal import Support
internal import Synchronization

/// Something that a feature could not save, and the emergency copy of it.
struct UnsavedWork {
  private let name: String
  private var reason: String
  /// The file of the copy, which only the user can read, and why there is none.
  private let copy: (file: String?, failure: String)

  /// One line: what was not saved, why, and where the copy is.
  var description: String {
    "\(name) was not saved: \(reason); "
      + (copy.file.map { "a copy is in '\($0)'" } ?? "there is no copy either: \(copy.failure)")
  }

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
        guard let failure else { return work.copy.file }
        work.reason = failure
        kept.failed.append(work)
        return nil
      }
      if let removed { unlink(removed) }
    }
  }

  /// Makes this process write emergency copies of what features can't save.
  static func installEmergencyCopies() {
    let folder = FilePath.ofUser(
      "unsaved", "XDG_STATE_HOME", or: ".local/state", ProcessVariables.value)
    EmergencyCopy.live.value = EmergencyCopy { content in
      let work = UnsavedWork(content, in: folder, flushes: true)
      kept.withLock { $0.failed.append(work) }
    } whileSaving: { content in
      // Without waiting for the disk, which is why the copy may be needed.
      var work = UnsavedWork(content, in: folder, flushes: false)
      work.reason = "the app ended before it was on the disk"
      return hold(work)
    }
  }

  /// Writes a copy to a folder, on the disk if `flushes`; blocks the calling thread.
  private init(_ content: EmergencyCopy.Content, in folder: String?, flushes: Bool) {
    name = content.name
    reason = content.reason
    copy =
      folder.map { Self.write(content, in: $0, flushes: flushes) }
      ?? (nil, "neither XDG_STATE_HOME nor HOME is set")
  }

  private static func write(
    _ content: EmergencyCopy.Content, in folder: String, flushes: Bool
  ) -> (file: String?, failure: String) {
    FilePath.makeFolder(folder, mode: 0o700)
    let moment = DependencyValues().date.now.description
    var reason = ""
    for attempt in 1...100 {
      let number = attempt == 1 ? "" : "-\(attempt)"
      let path = "\(folder)/\(moment)\(number)-\(fileName(content.name))"
      let file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0o600)
      guard file >= 0 else {
        let error = SystemError(errno)
        reason = "can't create '\(path)': \(error)"
        if error.code == EEXIST { continue }
        return (nil, reason)
      }
      defer { close(file) }
      var text = content.text
      var error = text.withUTF8 { Descriptor.writeAll(UnsafeRawBufferPointer($0), to: file) }
      if error == nil, flushes, fsync(file) != 0 { error = SystemError(errno) }
      guard let error else { return (path, "") }
      unlink(path)
      return (nil, "can't write '\(path)': \(error)")
    }
    return (nil, reason)
  }

  /// A file name for a feature's name of its work, with `-` for all but letters, digits and `-_.`.
  private static func fileName(_ name: String) -> String {
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
