internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Supervision
internal import Support

/// A temporary folder, and the programs that are run in it.
///
/// It is removed when this object is released, when a signal, such as Ctrl-C's SIGINT, ends the
/// process, and when a crash does.
final class WorkFolder {
  let path: String
  /// The variables of the programs that are run, without options for tools, which would change the
  /// bytes that they write.
  private let environment = ProcessVariables.all.filter {
    !["GZIP", "TAR_OPTIONS", "XZ_OPT", "XZ_DEFAULTS"].contains($0.key)
  }
  private let registration: EndingSignals.Registration
  /// The folder, open and locked; the lock ends with the process, however that ends.
  private let lock: Int32
  private let remover: FolderRemover?

  /// Creates the folder in an existing one; without one, in that for temporary files.
  init(in parent: String? = nil) throws(BundleError) {
    let parent = parent ?? FilePath.temporaryFolder
    Self.removeAbandoned(in: parent)
    var template = Array((parent + "/" + Self.prefix + "XXXXXX").utf8CString)
    guard mkdtemp(&template) != nil else { throw BundleError(parent, SystemError(errno)) }
    let path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    self.path = path
    lock = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    flock(lock, LOCK_SH | LOCK_NB)
    remover = FolderRemover(path)
    registration = EndingSignals.onEnd { _ in
      Self.abandon(path)
      return nil
    }
  }

  deinit {
    FilePath.remove(path)
    close(lock)
  }

  private static let prefix = ".appcore-bundle."

  /// Removes the folders of processes that were killed: nobody has a lock on them.
  private static func removeAbandoned(in parent: String) {
    for name in FilePath.names(in: parent) ?? [] where name.hasPrefix(prefix) {
      let path = parent + "/" + name
      let folder = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC | O_NOFOLLOW)
      guard folder >= 0 else { continue }
      defer { close(folder) }
      // One that was made just now may not have its lock yet.
      guard let status = Descriptor.status(folder), status.st_uid == geteuid(),
        time(nil) - status.st_mtim.tv_sec > 60, flock(folder, LOCK_EX | LOCK_NB) == 0
      else { continue }
      FilePath.remove(path)
    }
  }

  /// Removes a temporary folder while another thread may still write into it.
  ///
  /// The folder is renamed first, so that the other thread's paths no longer lead into it.
  static func abandon(_ path: String) {
    let name = path + ".ended"
    guard rename(path, name) == 0 else { return }
    FilePath.remove(name)
  }

  /// Creates an empty folder in it and returns the path.
  func folder(_ name: String) throws(BundleError) -> String {
    let path = path + "/" + name
    guard mkdir(path, 0o755) == 0 else { throw BundleError(path, SystemError(errno)) }
    return path
  }

  /// Creates a folder, and its parents as needed; `root` has to exist and is not created.
  static func makeFolders(to path: String, below root: String? = nil) throws(SystemError) {
    if FilePath.isFolder(path) { return }
    let parent = FilePath.folder(of: path)
    if parent != path, path != root { try makeFolders(to: parent, below: root) }
    guard path != root else { throw SystemError(ENOENT) }
    guard mkdir(path, 0o777) == 0 || errno == EEXIST else { throw SystemError(errno) }
  }

  /// The path of a program on the `PATH`.
  static func find(_ tool: String) throws(BundleError) -> String {
    guard let path = Spawn.find(tool, environment: ProcessVariables.all) else {
      throw BundleError(tool, .bundleTool, "there is no '\(tool)' on the PATH")
    }
    return path
  }

  /// Runs a program in the folder or in one below it, and returns what it prints.
  ///
  /// - Throws: ``BundleError`` about `subject` with the program's first lines, if it fails.
  func run(
    _ tool: String, _ arguments: [String], in folder: String = ".", for subject: String,
    with variables: [String: String] = [:], separatesErrors: Bool = false
  ) throws(BundleError) -> String {
    let (end, output, errors) = Spawn.run(
      try Self.find(tool), arguments,
      environment: environment.merging(["LC_ALL": "C"]) { $1 }.merging(variables) { $1 },
      folder: path + "/" + folder, separatesErrors: separatesErrors)
    guard end == .status(0) else {
      let details = (output + errors).split(separator: "\n").prefix(4).map(String.init)
      throw BundleError(
        subject, .bundleTool, "'\(tool)' failed" + (details.isEmpty ? ": \(end.words)" : ""),
        details: details)
    }
    return output
  }

  /// The name of a bundle's archive while it is made, which no bundle's folder has.
  static let archiveName = ".archive"

  /// Packs a folder of `parent`, which is this one or one in it, and returns the archive's path:
  /// `name` with `.gz`.
  ///
  /// The same files make the same bytes.
  func archive(
    _ folder: String, of parent: String = ".", as name: String, time: Int, for target: String
  ) throws(BundleError) -> String {
    _ = try run(
      "tar",
      [
        "--format=ustar", "--sort=name", "--mtime=@\(time)", "--owner=root:0", "--group=root:0",
        "-cf", name, "--directory=\(parent)", "--", folder,
      ], for: target)
    _ = try run("gzip", ["-n", "-9", name], for: target)
    return "\(path)/\(name).gz"
  }

  /// Removes a library's symbols and debug information, which has paths of this machine.
  ///
  /// A plugin has to be without its stamp.
  func strip(_ bytes: [UInt8], path library: String) throws(BundleError) -> [UInt8] {
    let file = try write(bytes, "stripped")
    defer { unlink(file) }
    _ = try run("strip", ["--strip-all", "stripped"], for: library)
    return try BundleError.read(file)
  }

  /// Decompresses an archive's bytes, up to ``TarReader/sizeLimit`` of them, as the extension of
  /// `name` says; those of a `tar` are returned as they are.
  ///
  /// - Throws: ``BundleError`` if the format is unknown, the program is missing or fails, or the
  ///   result is too large.
  func decompress(
    _ bytes: [UInt8], name: String, for archive: String
  ) throws(BundleError) -> [UInt8] {
    let ending = name.split(separator: ".").last ?? ""
    let tools = ["gz": "gzip", "tgz": "gzip", "xz": "xz", "zst": "zstd"]
    guard let tool = tools[String(ending)] else {
      if ending == "tar" { return bytes }
      throw BundleError(archive, .archiveDamaged, "'\(name)' is compressed in an unknown way")
    }
    _ = try Self.find(tool)
    let (input, output) = (try write(bytes, "in"), path + "/out")
    defer {
      unlink(input)
      unlink(output)
    }
    // `ulimit -f` counts in units of 512 bytes; a program that writes more gets SIGXFSZ.
    let command = "ulimit -f \(TarReader.sizeLimit / 512); exec \(tool) -dc <in >out"
    let (end, printed, _) = Spawn.run(
      "/bin/sh", ["-c", command], environment: environment, folder: path)
    switch end {
    case .status(0):
      return try BundleError.read(output)
    case .signal(SIGXFSZ), .status(128 + SIGXFSZ):
      throw BundleError(
        archive, .archiveTooLarge, "it has more than \(TarReader.sizeLimit >> 20) MiB unpacked")
    default:
      let reason = printed.split(separator: "\n").last.map(String.init) ?? end.words
      throw BundleError(archive, .archiveDamaged, "'\(tool)' can't unpack it: \(reason)")
    }
  }

  /// Writes a new file in the folder and returns its path.
  func write(_ bytes: [UInt8], _ name: String) throws(BundleError) -> String {
    let file = path + "/" + name
    unlink(file)
    try BundleError.reporting(file) { () throws(SystemError) in
      try BundleTree.write(BundleFile(path: name, bytes: bytes), to: file, time: 0)
    }
    return file
  }
}
