internal import Glibc
internal import Support

/// The home folder of one script's run, so that it uses none of the person's settings and data.
///
/// The files of `tests/home` are copied into it, then those of `tests/NAME.home` for the script
/// `tests/NAME.script`. Each line of `tests/vars` and `tests/NAME.vars` gives a variable a value, as
/// `--set` does.
struct ScriptHome {
  /// The arguments that set variables.
  let arguments: [String]
  private let path: String

  /// Creates the folder, with the set-up of a script.
  ///
  /// - Throws: the system's error.
  init(for script: String) throws(SystemError) {
    let folder = FilePath.folder(of: script)
    let name = String(script.dropLast(".script".count))
    var template = Array("\(FilePath.temporaryFolder)/appcore-test.XXXXXX".utf8CString)
    guard mkdtemp(&template) != nil else { throw SystemError(errno) }
    path = template.withUnsafeBytes { String(decoding: $0.dropLast(), as: UTF8.self) }
    arguments = [FilePath.join(folder, "vars"), name + ".vars"].flatMap { file in
      let text = (try? WholeFile.read(file)).map { String(decoding: $0, as: UTF8.self) } ?? ""
      return text.split(whereSeparator: \.isNewline).filter { !$0.hasPrefix("#") }
        .flatMap { ["--set", String($0)] }
    }
    do throws(SystemError) {
      for source in [FilePath.join(folder, "home"), name + ".home"] where FilePath.isFolder(source)
      {
        try Self.copy(source, to: path)
      }
    } catch {
      remove()
      throw error
    }
  }

  /// The variables of a process that has this home, and otherwise those of `outer`.
  func environment(_ outer: [String: String]) -> [String: String] {
    func absolute(_ name: String) -> String? {
      outer[name].flatMap { $0.hasPrefix("/") ? $0 : nil }
    }
    var environment = outer
    let names = ["XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_STATE_HOME", "STATE_DIRECTORY"]
    for name in names { environment[name] = nil }
    environment["HOME"] = path
    // What was compiled and scanned is used, and the plugins that the person has installed.
    let home = absolute("HOME")
    environment["XDG_CACHE_HOME"] = absolute("XDG_CACHE_HOME") ?? home.map { $0 + "/.cache" }
    let data = absolute("XDG_DATA_HOME") ?? home.map { $0 + "/.local/share" }
    let shared = outer["XDG_DATA_DIRS"].flatMap { $0.isEmpty ? nil : $0 }
    environment["XDG_DATA_DIRS"] = [data, shared ?? "/usr/local/share:/usr/share"]
      .compactMap(\.self).joined(separator: ":")
    return environment
  }

  /// Removes the folder.
  func remove() { FilePath.remove(path) }

  private static func copy(_ source: String, to target: String) throws(SystemError) {
    for name in (FilePath.names(in: source) ?? []).sorted() {
      let (from, to) = (source + "/" + name, target + "/" + name)
      if FilePath.isFolder(from) {
        guard mkdir(to, 0o700) == 0 || errno == EEXIST else { throw SystemError(errno) }
        try copy(from, to: to)
      } else {
        try FileReplacement.write(WholeFile.read(from), to: to, newMode: 0o600)
      }
    }
  }
}
