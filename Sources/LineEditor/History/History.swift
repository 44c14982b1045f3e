internal import Glibc
internal import Support

/// The lines that were typed, without duplicates, the newest last.
package struct History: Sendable {
  /// The lines by position; empty where one was typed again later.
  private var entries: [String] = []
  /// The maximum length of a line, in bytes; longer ones are not stored.
  package static let lineLimit = 16 << 10

  package init() {}

  /// Creates a history from lines, the oldest first; of equal lines only the newest is kept.
  package init(_ lines: [ArraySlice<UInt8>]) {
    var seen: Set<ArraySlice<UInt8>> = []
    for line in lines.reversed() where Self.mayHold(line) && seen.insert(line).inserted {
      entries.append(String(decoding: line, as: UTF8.self))
    }
    entries.reverse()
  }

  /// Adds a line as the newest one, and removes an earlier equal line.
  ///
  /// - Complexity: O(*n*), where *n* is the number of lines.
  package mutating func add(_ line: String) {
    guard Self.mayHold(Array(line.utf8)[...]) else { return }
    // By bytes: an equal line may be written with other scalars.
    if let index = entries.lastIndex(where: { $0.utf8.elementsEqual(line.utf8) }) {
      entries[index] = ""
    }
    entries.append(line)
  }

  /// All lines, the oldest first.
  package var lines: [String] { entries.filter { !$0.isEmpty } }

  /// The position of the newest line before `end` that begins with `prefix`; `nil` if there is none.
  ///
  /// Ignoring case is for ASCII letters; a prefix with a capital letter is always matched exactly.
  package func newest(
    before end: Int? = nil, prefix: String, ignoresCase: Bool = false
  ) -> Int? {
    entries.prefix(end ?? entries.count).lastIndex(where: Self.matching(prefix, ignoresCase))
  }

  /// The oldest line after the position `start` that begins with `prefix`, ignoring case likewise.
  package func oldest(after start: Int, prefix: String) -> Int? {
    entries.dropFirst(start + 1).firstIndex(where: Self.matching(prefix, true))
  }

  private static func matching(_ prefix: String, _ ignoresCase: Bool) -> (String) -> Bool {
    let wanted = Array(prefix.utf8)
    let folds = ignoresCase && wanted.allSatisfy { fold($0) == $0 }
    return { line in
      !line.isEmpty && line.utf8.starts(with: wanted) { (folds ? fold($0) : $0) == $1 }
    }
  }

  /// The newest line before the position `end` that contains `text`, ignoring the case of ASCII.
  package func newest(before end: Int? = nil, holding text: String) -> Int? {
    let wanted = text.utf8.map(Self.fold)
    return entries.prefix(end ?? entries.count).lastIndex { Self.holds($0, wanted) }
  }

  /// Whether a line holds a text, which is folded; a history has 100,000 lines to look at.
  private static func holds(_ line: String, _ wanted: [UInt8]) -> Bool {
    var line = line
    return line.withUTF8 { line in
      line.count >= wanted.count
        && (0...line.count - wanted.count).contains { start in
          wanted.indices.allSatisfy { fold(line[start + $0]) == wanted[$0] }
        }
    }
  }

  /// The line at a position; `nil` if there is none, or if it was typed again later.
  package func line(_ index: Int) -> String? {
    entries.indices.contains(index) && !entries[index].isEmpty ? entries[index] : nil
  }

  /// Whether bytes can be stored as a line: UTF-8 without control characters other than tabs.
  private static func mayHold(_ line: ArraySlice<UInt8>) -> Bool {
    !line.isEmpty && line.count <= lineLimit
      && line.allSatisfy { $0 >= 0x20 && $0 != 0x7f || $0 == 0x09 }
      && String(validating: line, as: UTF8.self) != nil
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    (0x41...0x5a).contains(byte) ? byte | 0x20 : byte
  }
}

/// The file that stores the history between sessions.
///
/// Several shells may use it at once: each appends its lines under a lock, and reads the lines of
/// the others with ``news()``. Damaged lines are skipped.
package struct HistoryFile: Sendable {
  /// The reason why a line could not be stored.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    package let path: String
    package let step: String
    package let errno: Int32

    package var description: String {
      "the history can't be kept: '\(path)' can't be \(step): \(SystemError(errno)); "
        + "APPCORE_HISTORY names another file, or is 'off'"
    }
  }

  package let path: String
  /// The inode of the file that was read, and the number of bytes that were read.
  private var read: (inode: UInt64, size: Int) = (0, 0)
  /// The maximum number of lines when the file is rewritten.
  private static let lineLimit = 100_000
  /// The maximum number of bytes that are read, from the end of the file.
  private static let sizeLimit = 32 << 20

  /// Creates a history file; the file need not exist.
  package init(path: String) { self.path = path }

  /// The path of the history according to the environment; `nil` if it is off or has no place.
  ///
  /// `APPCORE_HISTORY` is a path, or `off`. Without it the path is `appcore/history` in
  /// `XDG_STATE_HOME`, which must be an absolute path, or in `~/.local/state`.
  package static func path(_ variable: (String) -> String?) -> String? {
    if let named = variable("APPCORE_HISTORY"), !named.isEmpty {
      return ["off", "0", "no"].contains(named.lowercased()) ? nil : named
    }
    return FilePath.ofUser("history", "XDG_STATE_HOME", or: ".local/state", variable)
  }

  /// Reads the lines of the file; the history is empty if it can't be read.
  package mutating func load() -> History {
    guard let bytes = contents(from: 0) else { return History() }
    let lines = bytes.split(separator: 0x0a)
    let history = History(lines)
    if lines.count > history.lines.count + 1000 || lines.count > Self.lineLimit {
      compact(history)
    }
    return history
  }

  /// The lines that other shells have added since the last read.
  ///
  /// These are all lines if the file was replaced.
  package mutating func news() -> [String] {
    guard let status = FilePath.status(path) else { return [] }
    let isSame = status.st_ino == read.inode
    if isSame, Int(status.st_size) == read.size { return [] }
    let start = isSame && Int(status.st_size) > read.size ? read.size : 0
    guard let bytes = contents(from: start) else { return [] }
    return bytes.split(separator: 0x0a).compactMap { String(validating: $0, as: UTF8.self) }
  }

  /// Appends a line in a single write, under a lock.
  package mutating func append(_ line: String) throws(Failure) {
    FilePath.makeFolder(FilePath.folder(of: path), mode: 0o700)
    let descriptor = try openLocked()
    defer { close(descriptor) }
    var bytes = Array(line.utf8) + [0x0a]
    let size = lseek(descriptor, 0, SEEK_END)
    var last: UInt8 = 0x0a
    if size > 0 { _ = pread(descriptor, &last, 1, size - 1) }
    // A shell that was killed while writing leaves a partial line, which ours must not continue.
    if last != 0x0a { bytes.insert(0x0a, at: 0) }
    guard write(descriptor, bytes, bytes.count) == bytes.count else {
      throw Failure(path: path, step: "written", errno: errno)
    }
    if Int(size) == read.size { read.size += bytes.count }
  }

  /// Opens the file for appending and locks it; a file that was replaced meanwhile is opened again.
  private func openLocked() throws(Failure) -> Int32 {
    while true {
      let descriptor = open(
        path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, 0o600)
      guard descriptor >= 0 else { throw Failure(path: path, step: "opened", errno: errno) }
      guard let opened = Descriptor.status(descriptor), opened.isRegular else {
        close(descriptor)
        throw Failure(path: path, step: "used as a file", errno: EINVAL)
      }
      // The file may have been created by other means, with its content readable by everyone.
      if opened.st_mode & 0o077 != 0 { _ = fchmod(descriptor, 0o600) }
      guard Descriptor.lock(descriptor, tries: Self.lockTries) else {
        let reason = errno
        close(descriptor)
        throw Failure(path: path, step: "locked", errno: reason)
      }
      if FilePath.status(path)?.st_ino == opened.st_ino { return descriptor }
      close(descriptor)
    }
  }

  /// The maximum number of attempts to lock, 10 ms apart: another program must not block typing.
  private static let lockTries = 30

  private mutating func contents(from start: Int) -> [UInt8]? {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY)
    guard descriptor >= 0 else { return nil }
    defer { close(descriptor) }
    guard let status = Descriptor.status(descriptor), status.isRegular else { return nil }
    // Of a file that is too large only the end is read.
    let offset = max(start, Int(status.st_size) - Self.sizeLimit)
    lseek(descriptor, off_t(offset), SEEK_SET)
    guard let bytes = try? WholeFile.read(descriptor) else { return nil }
    read = (UInt64(status.st_ino), offset + bytes.count)
    return bytes
  }

  /// Rewrites the file without duplicate lines.
  ///
  /// A failure leaves the file unchanged.
  private mutating func compact(_ history: History) {
    guard let lock = try? openLocked() else { return }
    defer { close(lock) }
    // Read again under the lock, to keep lines that others have added meanwhile.
    guard let bytes = contents(from: 0) else { return }
    let lines = History(bytes.split(separator: 0x0a)).lines.suffix(Self.lineLimit)
    let text = Array((lines.joined(separator: "\n") + "\n").utf8)
    guard (try? FileReplacement.write(text, to: path)) != nil,
      let status = FilePath.status(path)
    else { return }
    read = (UInt64(status.st_ino), text.count)
  }
}
