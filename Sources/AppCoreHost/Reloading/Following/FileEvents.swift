internal import Dispatch
internal import Glibc

/// Reads events of files in folders, from an inotify instance.
final class FileEvents {
  struct Event: Hashable {
    enum Kind: Hashable {
      case created
      /// Bytes were written, or the file was truncated; more may follow.
      case written
      /// A file that was open for writing was closed, one was renamed or moved to this name, or one
      /// was removed or moved away.
      case changed
      /// A folder was created in the folder or moved to it.
      case folder
      /// The folder is no longer followed: it was removed, renamed or unmounted.
      case lost
      /// The system's queue was full, so that events are missing.
      case overflow
    }
    let kind: Kind
    /// The folder's path as it was added; empty for an overflow.
    let folder: String
    /// The file's name; empty for the folder itself.
    let name: String
  }

  private let descriptor: Int32
  private let source: any DispatchSourceRead
  private var folders: [Int32: String] = [:]

  /// Creates an inotify instance, and calls a closure on a queue whenever there are events.
  ///
  /// - Throws: the system's error if it grants none.
  init(
    on queue: DispatchQueue, _ hasEvents: @escaping @Sendable () -> Void
  ) throws(FollowingError) {
    let descriptor = inotify_init1(Int32(IN_CLOEXEC | IN_NONBLOCK))
    guard descriptor >= 0 else { throw FollowingError(path: "", error: errno) }
    self.descriptor = descriptor
    source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    source.setEventHandler(handler: hasEvents)
    source.setCancelHandler { close(descriptor) }
    source.activate()
  }

  deinit { source.cancel() }

  /// Follows a folder; does nothing for one that is followed already.
  func add(_ folder: String) throws(FollowingError) {
    let mask =
      IN_CREATE | IN_MODIFY | IN_CLOSE_WRITE | IN_MOVED_TO | IN_MOVED_FROM | IN_DELETE
      | IN_DELETE_SELF | IN_MOVE_SELF | IN_ONLYDIR
    let watch = inotify_add_watch(descriptor, folder, UInt32(bitPattern: mask))
    guard watch >= 0 else { throw FollowingError(path: folder, error: errno) }
    folders[watch] = folder
  }

  /// The events since the last call; does not block.
  func read() -> [Event] {
    var events: [Event] = []
    withUnsafeTemporaryAllocation(byteCount: 64 << 10, alignment: 8) { buffer in
      while true {
        let count = Glibc.read(descriptor, buffer.baseAddress, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { return }
        var offset = 0
        let header = MemoryLayout<inotify_event>.size
        while offset + header <= count {
          let event = buffer.loadUnaligned(fromByteOffset: offset, as: inotify_event.self)
          let name = buffer[offset + header..<offset + header + Int(event.len)].prefix { $0 != 0 }
          if let found = self.event(event, String(decoding: name, as: UTF8.self)) {
            events.append(found)
          }
          offset += header + Int(event.len)
        }
      }
    }
    return events
  }

  private func event(_ raw: inotify_event, _ name: String) -> Event? {
    func has(_ bit: Int32) -> Bool { raw.mask & UInt32(bitPattern: bit) != 0 }
    if has(IN_Q_OVERFLOW) { return Event(kind: .overflow, folder: "", name: "") }
    guard let folder = folders[raw.wd] else { return nil }
    if has(IN_IGNORED) || has(IN_DELETE_SELF) || has(IN_MOVE_SELF) {
      folders[raw.wd] = nil
      inotify_rm_watch(descriptor, raw.wd)
      return Event(kind: .lost, folder: folder, name: "")
    }
    let kind: Event.Kind
    if has(IN_ISDIR) {
      guard has(IN_CREATE) || has(IN_MOVED_TO) else { return nil }
      kind = .folder
    } else if has(IN_CREATE) {
      kind = .created
    } else if has(IN_MODIFY) {
      kind = .written
    } else {
      kind = .changed
    }
    return Event(kind: kind, folder: folder, name: name)
  }
}

/// Why files can't be followed.
public struct FollowingError: Error, CustomStringConvertible {
  let path: String
  let error: Int32

  public var description: String {
    let reason = String(cString: strerror(error))
    return error == ENOSPC
      ? "'\(path)' can't be followed: the system's limit of watches is reached; "
        + "raise fs.inotify.max_user_watches"
      : "'\(path)' can't be followed: \(reason)"
  }
}
