internal import Glibc

/// A file that replaces another one atomically: it is written beside it, and then renamed.
package struct FileReplacement: Sendable {
  /// The descriptor of the replacement; it is still open after ``commit()``.
  package let descriptor: Int32
  private let target: String
  /// Its path until it is renamed; a process that is killed leaves no file without one.
  private let name: String
  private let hasName: Bool

  /// Creates an empty file beside the one it is to replace, readable by its owner alone.
  ///
  /// If the path is a link to a file, that file is replaced, and the link stays, unless
  /// `followsLinks` is `false`: then the link itself is replaced. One that `isNamed` has a name at
  /// once, for file systems without hard links.
  ///
  /// - Throws: the system's error.
  package init(
    of path: String, followsLinks: Bool = true, isNamed: Bool = false
  ) throws(SystemError) {
    target = followsLinks ? FilePath.resolved(path) ?? path : path
    // Beside it: a rename is only possible within one file system.
    let folder = FilePath.folder(of: target)
    // Not the target's name with an end, which may be longer than names can be.
    let hidden = FilePath.join(folder, ".appcore-")
    let unnamed =
      isNamed
      ? -1
      : Descriptor.uninterrupted { open(folder, Self.unnamedFile | O_RDWR | O_CLOEXEC, 0o600) }
    if unnamed >= 0, access("/proc/self/fd/\(unnamed)", F_OK) == 0 {
      descriptor = unnamed
      name = hidden + String(UInt32.random(in: .min ... .max), radix: 36)
      hasName = false
      return
    }
    if unnamed >= 0 { close(unnamed) }
    // Not every file system has files without names.
    hasName = true
    var template = Array((hidden + "XXXXXX").utf8CString)
    // Mode 0600.
    descriptor = mkstemp(&template)
    guard descriptor >= 0 else { throw SystemError(errno) }
    name = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
  }

  package func write(_ bytes: [UInt8]) throws(SystemError) {
    let error = bytes.withUnsafeBytes { Descriptor.writeAll($0, to: descriptor) }
    if let error { throw error }
  }

  /// Flushes the replacement to disk and gives it the path, unless `isNew` and something is there.
  package func commit(isNew: Bool = false) throws(SystemError) {
    guard Descriptor.uninterrupted({ fsync(descriptor) }) == 0 else { throw SystemError(errno) }
    if !hasName {
      let path = "/proc/self/fd/\(descriptor)"
      let name = isNew ? target : name
      guard linkat(AT_FDCWD, path, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0 else {
        throw SystemError(errno)
      }
      if isNew { return }
    }
    guard isNew ? moveToNew() : rename(name, target) == 0 else {
      let error = SystemError(errno)
      unlink(name)
      throw error
    }
  }

  /// Renames it unless something has the path; returns `false` and sets `errno` if it was not
  /// renamed.
  private func moveToNew() -> Bool {
    // Unlike `rename`, both fail if the file exists; not every file system has hard links.
    if link(name, target) == 0 {
      unlink(name)
      return true
    }
    guard Self.linkErrors.contains(errno) else { return false }
    // RENAME_NOREPLACE
    return FilePath.rename(name, to: target, flags: 1)
  }

  /// The errors of a file system that has no hard links.
  private static let linkErrors = [EPERM, EOPNOTSUPP, ENOSYS, EMLINK]

  /// O_TMPFILE, which Swift's Glibc does not import.
  private static let unnamedFile = 0o20000000 | O_DIRECTORY

  /// Calls `write`, then gives the replacement the path, and closes it.
  ///
  /// Without a `mode` only its owner may read and write it.
  ///
  /// - Throws: the system's error, or that of `write`, after discarding the replacement.
  package func complete(
    mode: UInt32? = nil, isNew: Bool = false, _ write: () throws(SystemError) -> Void
  ) throws(SystemError) {
    do throws(SystemError) {
      if let mode, fchmod(descriptor, mode) != 0 { throw SystemError(errno) }
      try write()
      try commit(isNew: isNew)
    } catch {
      discard()
      throw error
    }
    close(descriptor)
  }

  /// Removes the replacement and closes its descriptor.
  package func discard() {
    if hasName { unlink(name) }
    close(descriptor)
  }

  /// The permissions that this process gives to new files.
  package static let usualMode: UInt32 = {
    // Only once: the mask can only be read by setting it for a moment.
    let mask = umask(0o077)
    umask(mask)
    return 0o666 & ~mask
  }()

  /// Replaces the contents of a file atomically; the file's permissions, and a link to it, are
  /// kept.
  ///
  /// `newMode` are the permissions of a file that does not exist yet; `nil` if it must exist. If it
  /// `isNew`, nothing may have the path.
  ///
  /// - Throws: the system's error; the file is unchanged.
  package static func write(
    _ bytes: [UInt8], to path: String, followsLinks: Bool = true, newMode: UInt32? = nil,
    isNew: Bool = false
  ) throws(SystemError) {
    var mode = newMode
    if isNew {
      // Its path is looked at when it gets it.
    } else if let status = FilePath.status(path, followsLinks: followsLinks) {
      mode = status.st_mode & 0o7777
    } else if errno != ENOENT {
      throw SystemError(errno)
    }
    guard let mode else { throw SystemError(ENOENT) }
    for isNamed in [false, true] {
      let replacement = try FileReplacement(
        of: path, followsLinks: followsLinks, isNamed: isNamed)
      do throws(SystemError) {
        return try replacement.complete(mode: mode, isNew: isNew) { () throws(SystemError) in
          try replacement.write(bytes)
        }
      } catch {
        guard !replacement.hasName, linkErrors.contains(error.code) else { throw error }
      }
    }
  }
}

/// The error of a failed system call.
package struct SystemError: Error, CustomStringConvertible {
  package let code: Int32

  package init(_ code: Int32) { self.code = code }

  /// In the system's words, such as `Permission denied`.
  package var description: String {
    strerror(code).map { String(cString: $0) } ?? "error \(code)"
  }
}

/// Files that are read and written whole.
package enum WholeFile {
  /// The bytes of a file, a bit more than the limit if it is larger.
  ///
  /// Unless it `waits`, reading never waits, as it would for bytes from a pipe.
  ///
  /// - Throws: the system's error.
  package static func read(
    _ path: String, limit: Int = .max, waits: Bool = false
  ) throws(SystemError) -> [UInt8] {
    let flags = O_RDONLY | O_CLOEXEC | O_NOCTTY | (waits ? 0 : O_NONBLOCK)
    let descriptor = Descriptor.uninterrupted { open(path, flags) }
    guard descriptor >= 0 else { throw SystemError(errno) }
    defer { close(descriptor) }
    return try read(descriptor, limit: limit)
  }

  /// The bytes of a file that is open, likewise.
  package static func read(
    _ descriptor: Int32, limit: Int = .max
  ) throws(SystemError) -> [UInt8] {
    var bytes: [UInt8] = []
    var chunk = [UInt8](repeating: 0, count: 65_536)
    while bytes.count <= limit {
      let count = Descriptor.uninterrupted { Glibc.read(descriptor, &chunk, chunk.count) }
      if count == 0 { break }
      guard count > 0 else { throw SystemError(errno) }
      bytes.append(contentsOf: chunk[..<count])
    }
    return bytes
  }

  /// Overwrites a file with a text; the file is created if it is missing.
  ///
  /// - Throws: the system's error; part of the text may have been written.
  package static func write(_ text: String, to path: String) throws(SystemError) {
    guard let file = fopen(path, "we") else { throw SystemError(errno) }
    let count = fputs(text, file)
    let reason = errno
    guard fclose(file) == 0 else { throw SystemError(errno) }
    guard count >= 0 else { throw SystemError(reason) }
  }
}
