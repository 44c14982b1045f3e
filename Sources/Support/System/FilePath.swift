package import Glibc

/// Operations on paths, on their text or in the file system.
package enum FilePath {
  /// The folder of a path: `.` for a bare name.
  package static func folder(of path: String) -> String {
    // By bytes, here and below: with a mark that follows it a slash is another character.
    guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return "." }
    return slash == path.startIndex ? "/" : String(path[..<slash])
  }

  /// A path that is relative to a folder, made relative to the working directory; an absolute path
  /// stays as it is.
  package static func join(_ folder: String, _ path: String) -> String {
    if path.hasPrefix("/") || folder == "." { return path }
    return folder.hasSuffix("/") ? folder + path : folder + "/" + path
  }

  /// The path from the root by which a file is called; a `.` in it is left out, links stay.
  package static func absolute(_ path: String) -> String {
    let parts = path.split(separator: "/", omittingEmptySubsequences: true).filter { $0 != "." }
    if path.hasPrefix("/") { return "/" + parts.joined(separator: "/") }
    guard let working = workingFolder else { return path }
    return parts.reduce(working) { join($0, String($1)) }
  }

  /// The path of the working folder: with the links by which a shell has come there, if it says so.
  private static var workingFolder: String? {
    if let called = getenv("PWD").map({ String(cString: $0) }), called.hasPrefix("/"),
      areSame(called, ".")
    {
      return called
    }
    guard let working = getcwd(nil, 0) else { return nil }
    defer { free(working) }
    return String(cString: working)
  }

  /// The part after the last slash of a path.
  package static func name(of path: String) -> String {
    path.utf8.lastIndex(of: UInt8(ascii: "/"))
      .map { String(path[path.utf8.index(after: $0)...]) } ?? path
  }

  /// The path of what is in a folder, from there; `nil` if it is not in the folder.
  ///
  /// Both are resolved, or have the same form.
  package static func inside(_ folder: String, _ path: String) -> String? {
    let prefix = folder == "/" ? "/" : folder + "/"
    guard path.utf8.starts(with: prefix.utf8), path.utf8.count > prefix.utf8.count else {
      return nil
    }
    return String(decoding: path.utf8.dropFirst(prefix.utf8.count), as: UTF8.self)
  }

  /// The absolute path, with links and dots resolved; `nil` if there is no such file.
  package static func resolved(_ path: String) -> String? {
    guard !path.utf8.contains(0), let real = realpath(path, nil) else { return nil }
    defer { free(real) }
    return String(cString: real)
  }

  /// Where a link leads, as it is written in it; `nil` for a path that is not a link.
  package static func linkTarget(_ path: String) -> String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink(path, &buffer, buffer.count)
    return count > 0 ? String(decoding: buffer[..<count], as: UTF8.self) : nil
  }

  /// The links on the way along a path, each by its own path without links.
  package static func links(along path: String) -> Set<String> {
    let start = path.hasPrefix("/") ? "" : resolved(".") ?? ""
    var waiting = Array((start + "/" + path).split(separator: "/").map(String.init).reversed())
    var current = "/"
    var found: Set<String> = []
    var count = 0
    // As many as the system follows.
    while let name = waiting.popLast(), count < 40 {
      if name == "." { continue }
      if name == ".." {
        current = folder(of: current)
        continue
      }
      let next = join(current, name)
      guard let target = linkTarget(next) else {
        current = next
        continue
      }
      found.insert(next)
      count += 1
      if target.hasPrefix("/") { current = "/" }
      waiting += target.split(separator: "/").map(String.init).reversed()
    }
    return found
  }

  /// Whether two paths lead to one file, or would if it existed.
  package static func areSame(_ first: String, _ second: String) -> Bool {
    var (one, other) = (stat(), stat())
    if stat(first, &one) == 0, stat(second, &other) == 0 {
      return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)
    }
    // Files that don't exist yet.
    guard name(of: first) == name(of: second), let home = resolved(folder(of: first)) else {
      return false
    }
    return home == resolved(folder(of: second))
  }

  /// What `stat` says of a path, or `lstat`; `nil`, with `errno` set, if it fails.
  package static func status(_ path: String, followsLinks: Bool = true) -> stat? {
    var status = stat()
    return (followsLinks ? stat(path, &status) : lstat(path, &status)) == 0 ? status : nil
  }

  package static func isFolder(_ path: String) -> Bool { status(path)?.isFolder ?? false }

  /// Whether a path leads to neither a regular file nor a folder, such as a pipe.
  package static func isSpecial(_ path: String) -> Bool {
    status(path).map { !$0.isRegular && !$0.isFolder } ?? false
  }

  /// Creates a folder and those above it that are missing.
  ///
  /// - Returns: the first error; 0 for none. It also shows when the folder is used.
  @discardableResult
  package static func makeFolder(_ path: String, mode: UInt32 = 0o777) -> Int32 {
    var made = path.hasPrefix("/") ? "" : "."
    var error: Int32 = 0
    for part in path.split(separator: "/") {
      made += "/" + part
      if mkdir(made, mode) != 0, errno != EEXIST, error == 0 { error = errno }
    }
    return error
  }

  package static var temporaryFolder: String {
    getenv("TMPDIR").map { String(cString: $0) }.flatMap { $0.hasPrefix("/") ? $0 : nil } ?? "/tmp"
  }

  /// Removes a file, or a folder with its contents.
  ///
  /// Links are not followed, and errors are ignored.
  package static func remove(_ path: String) {
    guard let status = Self.status(path, followsLinks: false) else { return }
    guard status.isFolder else {
      unlink(path)
      return
    }
    for name in names(in: path) ?? [] { remove(path + "/" + name) }
    rmdir(path)
  }

  /// `renameat2`, which Swift's Glibc module does not declare; returns `false` and sets `errno` if
  /// nothing was renamed.
  package static func rename(_ path: String, to new: String, flags: UInt32) -> Bool {
    typealias Rename =
      @convention(c) (
        Int32, UnsafePointer<CChar>, Int32, UnsafePointer<CChar>, UInt32
      ) -> Int32
    guard let function = dlsym(nil, "renameat2") else {
      errno = ENOSYS
      return false
    }
    return unsafeBitCast(function, to: Rename.self)(AT_FDCWD, path, AT_FDCWD, new, flags) == 0
  }

  /// The names in a folder, in the system's order; `nil`, with `errno` set, if it can't be read.
  package static func names(in folder: String) -> [String]? {
    guard let stream = opendir(folder) else { return nil }
    defer { closedir(stream) }
    var names: [String] = []
    errno = 0
    while let entry = readdir(stream) {
      let name = withUnsafeBytes(of: &entry.pointee.d_name) { bytes in
        String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }
      if name != ".", name != ".." { names.append(name) }
      errno = 0
    }
    return errno == 0 ? names : nil
  }

  /// The path of a file of appcore in the user's folder for such files.
  ///
  /// - Parameters:
  ///   - name: its path in `appcore` there.
  ///   - variable: the variable for the folder, which counts only if it is an absolute path.
  ///   - fallback: the folder in `HOME` without it.
  ///   - value: returns the value of an environment variable.
  /// - Returns: the path; `nil` if neither variable is an absolute path.
  package static func ofUser(
    _ name: String, _ variable: String, or fallback: String, _ value: (String) -> String?
  ) -> String? {
    for (variable, folder) in [(variable, ""), ("HOME", "/" + fallback)] {
      if let base = value(variable), base.hasPrefix("/") {
        return "\(base)\(folder)/appcore/\(name)"
      }
    }
    return nil
  }

  /// A name of an app as a part of the names of its files.
  package static func part(forApp name: String) -> String {
    String(name.map { $0.isLetter || $0.isNumber || $0 == "-" ? $0 : "-" }.prefix(60))
  }

  /// A path relative to a folder; `nil` if it leads out of the folder.
  ///
  /// It is the path by which the file is called, with links on the way, where that begins with the
  /// folder. Else both are resolved, but for the last name: a link in the folder is known under its
  /// own name.
  package static func relative(_ path: String, to folder: String) -> String? {
    let parts = names(along: path)
    let base = resolved(folder)
    func isAbsolute(_ path: String) -> Bool { path.utf8.first == UInt8(ascii: "/") }
    let isMixed = isAbsolute(path) != isAbsolute(folder)
    for start in isMixed ? [absolute(folder), base] : [folder, base] {
      guard let start, isAbsolute(start) == isAbsolute(path) else { continue }
      let prefix = names(along: start)
      guard parts.starts(with: prefix, by: { $0.utf8.elementsEqual($1.utf8) }) else { continue }
      let rest = parts.dropFirst(prefix.count)
      // What `..` leads to depends on the links before it.
      if !rest.isEmpty, !rest.contains("..") { return rest.joined(separator: "/") }
    }
    guard let base, let name = parts.last else { return nil }
    guard name != ".." else { return resolved(path).flatMap { inside(base, $0) } }
    let parent = parts.dropLast().joined(separator: "/")
    let place = isAbsolute(path) ? "/" + parent : parent.isEmpty ? "." : parent
    return resolved(place).flatMap { inside(base, join($0, name)) }
  }

  /// The names that a path consists of, split by bytes; a `.` is left out.
  private static func names(along path: String) -> [String] {
    path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
      .filter { $0 != "." }
  }
}

extension stat {
  package var isRegular: Bool { st_mode & S_IFMT == S_IFREG }
  package var isFolder: Bool { st_mode & S_IFMT == S_IFDIR }
  package var isFIFO: Bool { st_mode & S_IFMT == S_IFIFO }
  /// The device and inode, which no two files have at the same time.
  package var identity: [UInt64] { [UInt64(st_dev), UInt64(st_ino)] }
}
