internal import Glibc
internal import Support

/// The lock by which a process holds the file of its session.
enum FileLock {
  /// A sentence about the process that holds the lock of an open file.
  static func text(ofHolder descriptor: Int32) -> String {
    guard let id = holder(of: descriptor) else { return "another process keeps its session there" }
    let name = (try? WholeFile.read("/proc/\(id)/comm", limit: 64)).map {
      " (" + SafeText.line(String(decoding: $0.prefix { $0 != 0x0a }, as: UTF8.self)) + ")"
    }
    return "the process \(id)\(name ?? "") keeps its session there"
  }

  /// The same for the file at a path.
  static func text(ofHolderOf path: String) -> String {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK)
    defer { if descriptor >= 0 { close(descriptor) } }
    return text(ofHolder: descriptor)
  }

  /// The number of the process that holds the lock; `nil` if the system does not tell.
  private static func holder(of descriptor: Int32) -> Int32? {
    var status = stat()
    guard fstat(descriptor, &status) == 0,
      let locks = try? WholeFile.read("/proc/locks", limit: 1 << 20)
    else { return nil }
    // 1: FLOCK  ADVISORY  WRITE 4711 08:02:1234 0 EOF
    for line in String(decoding: locks, as: UTF8.self).split(separator: "\n") {
      let words = line.split(separator: " ")
      guard words.count > 5, words[1] == "FLOCK",
        words[5].split(separator: ":").last.flatMap({ UInt64($0) }) == UInt64(status.st_ino)
      else { continue }
      return Int32(words[4]).flatMap { $0 > 0 ? $0 : nil }
    }
    return nil
  }
}
