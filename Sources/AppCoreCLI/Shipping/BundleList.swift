internal import AppCheck
internal import PluginHost
internal import Support

/// The list of a bundle's files, which is what is signed: the contents of `share/NAME/files.sha256`.
///
/// Its lines of files are those of `sha256sum`, which checks them from the bundle's folder. The
/// others are comments to it: programs, links, and what a Debian package has outside the bundle's
/// folder, with a slash at the beginning.
///
/// ```text
/// # appcore-files 1
/// # program bin/console
/// # link /usr/bin/console -> ../lib/console/bin/console
/// # 9f86d081… /usr/share/man/man1/console.1.gz
/// 60303ae2…  bin/console
/// ```
struct BundleList: Equatable {
  enum Entry: Equatable {
    case file(SHA256, isExecutable: Bool)
    case link(String)
  }

  var entries: [String: Entry] = [:]

  static let fileName = SignatureCheck.Subject.bundle.fileName
  private static let head = "# appcore-files 1"

  var text: String {
    var (comments, files): ([String], [String]) = ([], [])
    for (path, entry) in entries.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) })
    {
      switch entry {
      case .file(let digest, let isExecutable):
        if isExecutable { comments.append("# program \(path)") }
        if path.hasPrefix("/") {
          comments.append("# \(digest) \(path)")
        } else {
          files.append("\(digest)  \(path)")
        }
      case .link(let target): comments.append("# link \(path) -> \(target)")
      }
    }
    return ([Self.head] + comments + files).map { $0 + "\n" }.joined()
  }

  /// What differs in the files that were found, in the order of their paths.
  func differences(from found: [String: Entry]) -> [String] {
    Set(entries.keys).union(found.keys).sorted().compactMap { path in
      switch (entries[path], found[path]) {
      case (nil, _?): "added: \(path)"
      case (_?, nil): "missing: \(path)"
      case (.file(let was, let mode)?, .file(let digest, let isExecutable)?):
        if was != digest {
          "changed: \(path): was \(was.short), is \(digest.short)"
        } else if mode != isExecutable {
          "mode: \(path): \(mode ? "was executable, is not" : "was not executable, is")"
        } else {
          nil
        }
      case (.link(let was)?, .link(let target)?):
        was == target ? nil : "changed: \(path): led to '\(was)', leads to '\(target)'"
      case (.file?, _): "changed: \(path): a link is in place of the file"
      case (_, _): "changed: \(path): a file is in place of the link"
      }
    }
  }
}

extension BundleList {
  /// Reads a list; `nil` unless it is exactly as ``text`` writes it.
  init?(_ bytes: [UInt8]) {
    self.init()
    guard let text = String(validating: bytes, as: UTF8.self) else { return nil }
    var programs: Set<String> = []
    for line in text.split(separator: "\n").dropFirst() {
      if line.hasPrefix("# program ") {
        programs.insert(String(line.dropFirst(10)))
      } else if line.hasPrefix("# link ") {
        guard let arrow = line.firstRange(of: " -> ") else { return nil }
        entries[String(line[..<arrow.lowerBound].dropFirst(7))] =
          .link(String(line[arrow.upperBound...]))
      } else {
        let line = line.hasPrefix("# ") ? line.dropFirst(2) : line
        guard let digest = SHA256(digits: ArraySlice(line.utf8.prefix(64))) else { return nil }
        entries[String(line.dropFirst(64).drop { $0 == " " })] = .file(digest, isExecutable: false)
      }
    }
    for path in programs {
      guard case .file(let digest, _)? = entries[path] else { return nil }
      entries[path] = .file(digest, isExecutable: true)
    }
    guard Array(self.text.utf8) == bytes else { return nil }
  }

  /// The bytes of the list.
  ///
  /// - Throws: ``BundleError`` about a name that a line can't hold.
  func bytes(of bundle: String) throws(BundleError) -> [UInt8] {
    let bytes = Array(text.utf8)
    guard Self(bytes) == self else {
      let name = entries.keys.sorted().first { !AppLock.isText($0) }
      throw BundleError(bundle, .lockBadText, "the list of files can't hold '\(name ?? "a link")'")
    }
    return bytes
  }
}
