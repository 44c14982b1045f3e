internal import Glibc
internal import PluginHost
internal import Support

/// Files and folders that a word may become.
enum FileCandidates {
  /// The entries of the folder that a word names so far: folders with a `/`, and files with one of
  /// the endings; `nil` for all files, none for folders alone.
  static func files(_ typed: String, _ endings: [String]?) -> [CommandLineCompletion.Candidate] {
    let slash = typed.lastIndex(of: "/")
    let lead = slash.map { String(typed[...$0]) } ?? ""
    let start = slash.map { String(typed[typed.index(after: $0)...]) } ?? typed
    var folder = lead.isEmpty ? "." : lead
    if folder.hasPrefix("~/"), let home = getenv("HOME") {
      folder = String(cString: home) + folder.dropFirst()
    }
    return (FilePath.names(in: folder) ?? []).filter { name in
      name.hasPrefix(start) && (start.hasPrefix(".") || !name.hasPrefix("."))
    }.sorted().compactMap { name in
      var status = stat()
      guard stat(folder + "/" + name, &status) == 0 else { return nil }
      if status.st_mode & S_IFMT == S_IFDIR { return .init(lead + name + "/") }
      guard endings.map({ $0.contains { name.hasSuffix($0) } }) ?? true else { return nil }
      return .init(lead + name)
    }
  }
}
