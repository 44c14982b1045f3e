package import Support

/// Reads a lock, strictly: whatever it does not recognize is a problem.
///
/// Lines may be in any order, so that a merge that keeps the lines of both sides is a lock.
package struct LockReader {
  /// The largest file that is read, in bytes: that of thousands of plugins.
  package static let sizeLimit = 4 << 20
  /// The number of problems after which reading stops: there may be one in each line.
  package static let problemLimit = 100

  private struct Line {
    /// Counted from 1.
    var number = 1
    var text = ""
    /// The first word, and what follows.
    var kind = ""
    var fields: [String] = []
  }

  private let file: Int
  private var format = AppLock.format
  private var problems: [Diagnostic] = []
  /// The first line about each subject.
  private var subjects: [String: Line] = [:]
  private var lines: [String: [Line]] = [:]

  /// Reads a lock.
  ///
  /// - Returns: the lock, `nil` where there are problems.
  /// - Complexity: O(bytes).
  package static func read(
    _ bytes: [UInt8], file: Int = 0
  ) -> (lock: AppLock?, problems: [Diagnostic]) {
    var reader = LockReader(file: file)
    reader.readLines(bytes)
    let lock = reader.problems.isEmpty ? reader.assembled() : nil
    return (reader.problems.isEmpty ? lock : nil, reader.problems.sortedByPosition())
  }

  private init(file: Int) { self.file = file }

  private mutating func readLines(_ bytes: [UInt8]) {
    guard bytes.count <= Self.sizeLimit else {
      return report(
        .lockMalformed,
        "the lock has more than \(Self.sizeLimit >> 20) MiB; 'appcore lock' writes it again")
    }
    guard !bytes.isEmpty else {
      return report(.lockMalformed, "the lock is empty; 'appcore lock' writes it again")
    }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, bytes) in lines.dropLast().enumerated() where problems.count < Self.problemLimit {
      let line = Line(number: index + 1, text: String(decoding: bytes, as: UTF8.self))
      guard String(validating: bytes, as: UTF8.self) != nil else {
        return report(.lockMalformed, "this line is not UTF-8", line)
      }
      guard bytes.last != 0x0d else {
        return report(
          .lockMalformed,
          "this line ends with a carriage return; 'appcore lock' writes the lock again", line)
      }
      if index > 0 { read(line) } else if !readFirst(line) { return }
    }
    if let last = lines.last, !last.isEmpty, problems.count < Self.problemLimit {
      report(
        .lockIncomplete,
        "the last line has no end: the lock was cut off; 'appcore lock' writes it again",
        Line(number: lines.count, text: String(decoding: last, as: UTF8.self)))
    }
  }

  private mutating func readFirst(_ line: Line) -> Bool {
    let words = line.text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == "appcore-lock", let format = Int(words[1]), format > 0,
      "\(format)" == words[1]
    else {
      report(
        .lockMalformed,
        "the file does not begin with 'appcore-lock \(AppLock.format)'; it is not a lock", line)
      return false
    }
    guard format <= AppLock.format else {
      report(
        .lockNewerFormat,
        "the lock has format \(format), and this program reads format \(AppLock.format); "
          + "update appcore", line)
      return false
    }
    self.format = format
    return true
  }

  /// What each kind of line has after its first word.
  private static let forms = [
    "app": "NAME", "version": "VERSION", "manifest": "DIGEST PATH", "include": "DIGEST PATH",
    "plugin": "PLUGIN VERSION", "path": "PLUGIN PATH", "sources": "PLUGIN",
    "build": "PLUGIN ARCHITECTURE CONTRACT DIGEST",
    "library": "PLUGIN ARCHITECTURE CONTRACT DIGEST LIBRARY",
  ]

  private mutating func read(_ line: Line) {
    var line = line
    line.kind =
      line.text.utf8.split(separator: 0x20, maxSplits: 1).first.map {
        String(Substring($0))
      } ?? ""
    guard let form = Self.forms[line.kind] else {
      let isConflict = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains {
        line.text.hasPrefix($0)
      }
      return report(
        .lockMalformed,
        line.kind == "appcore-lock"
          ? "a merge left a second line with the lock's format; keep one of the two, and run "
            + "'appcore lock'"
          : isConflict
            ? "a merge left this conflict marker; resolve it"
            : "no line of a lock begins like this; remove it", line)
    }
    let names = form.split(separator: " ")
    line.fields = line.text.utf8
      .split(separator: 0x20, maxSplits: names.count, omittingEmptySubsequences: false)
      .dropFirst().map { String(Substring($0)) }
    guard line.fields.count == names.count,
      zip(names, line.fields).allSatisfy({ Self.fits($0, $1) })
    else {
      return report(
        .lockMalformed,
        "this line is not of the form '\(line.kind) \(form.replacing("PLUGIN", with: "NAME"))'",
        line)
    }
    if isAccepted(line) { lines[line.kind, default: []].append(line) }
  }

  private static func fits(_ name: Substring, _ field: String) -> Bool {
    switch name {
    case "DIGEST": digest(field) != nil
    case "PLUGIN": PluginLocator.isName(field)
    case "ARCHITECTURE", "CONTRACT":
      !field.isEmpty && field.utf8.allSatisfy { PluginLocator.isNameByte($0) }
    default: AppLock.isText(field)
    }
  }

  private static func digest(_ field: String) -> SHA256? {
    SHA256(digits: Array(field.utf8)[...])
  }

  /// Whether a line of the right form is the first about its subject, with a path that a lock may
  /// have; reports a problem otherwise.
  private mutating func isAccepted(_ line: Line) -> Bool {
    let fields = line.fields
    switch line.kind {
    case "manifest":
      return isPath(fields[1], line) && isFirst("manifest", line)
        && isFirst("file " + fields[1], line)
    case "include": return isPath(fields[1], line) && isFirst("file " + fields[1], line)
    case "path":
      guard format > 1 else {
        report(
          .lockMalformed,
          "a lock of format 1 has no paths of plugins; 'appcore lock' writes it again", line)
        return false
      }
      return isPath(fields[1], line) && isFirst("path " + fields[0], line)
    case "plugin", "sources": return isFirst(line.kind + " " + fields[0], line)
    case "build": return isFirst("build " + Self.place(line), line)
    case "library":
      guard AppLock.isPath(fields[4]), !fields[4].contains("/") else {
        report(.lockBadPath, "'\(fields[4])' is not the name of a library beside a plugin", line)
        return false
      }
      return isFirst("library \(Self.place(line)) \(fields[4])", line)
    default: return isFirst(line.kind, line)
    }
  }

  /// The plugin and the machines that a build or a library is for.
  private static func place(_ line: Line) -> String {
    line.fields[..<3].joined(separator: " ")
  }

  /// Whether a path leads to a file below the manifest's folder; reports a problem otherwise.
  private mutating func isPath(_ path: String, _ line: Line) -> Bool {
    guard !AppLock.isPath(path) else { return true }
    report(
      .lockBadPath, "the path '\(path)' does not lead to a file in the folder of the manifest", line
    )
    return false
  }

  /// Whether this is the first line about a subject; reports a problem otherwise.
  private mutating func isFirst(_ subject: String, _ line: Line) -> Bool {
    guard let first = subjects.updateValue(line, forKey: subject) else { return true }
    subjects[subject] = first
    if first.text == line.text {
      report(
        .lockDuplicateLine, "this line repeats line \(first.number); remove one of the two", line)
    } else {
      report(
        .lockContradiction,
        "this line contradicts line \(first.number); remove the one that is wrong", line)
    }
    return false
  }

  /// The lock of the lines, those first that others need.
  private mutating func assembled() -> AppLock? {
    guard let app = lines["app"]?.first?.fields[0] else {
      incomplete("the lock has no line 'app NAME'; 'appcore lock' writes it again")
      return nil
    }
    guard let manifest = lines["manifest"]?.first?.fields, let digest = Self.digest(manifest[0])
    else {
      incomplete("the lock has no line 'manifest DIGEST PATH'; 'appcore lock' writes it again")
      return nil
    }
    var lock = AppLock(
      app: app, version: lines["version"]?.first?.fields[0],
      manifest: manifest[1], files: [manifest[1]: digest])
    for line in lines["include", default: []] {
      lock.files[line.fields[1]] = Self.digest(line.fields[0])
    }
    for line in lines["plugin", default: []] {
      lock.plugins[line.fields[0]] = AppLock.Plugin(version: line.fields[1])
    }
    for (kind, words) in [
      ("sources", "these sources"), ("path", "this path"), ("build", "this build"),
    ] {
      for line in lines[kind, default: []] { add(line, words, to: &lock) }
    }
    var orphans: Set<String> = []
    for line in lines["library", default: []] {
      let fields = line.fields
      let target = AppLock.Target(architecture: fields[1], contract: fields[2])
      if lock.plugins[fields[0]]?.builds[target] == nil, orphans.insert(Self.place(line)).inserted {
        incomplete("the lock has no line 'build \(fields[0]) …' for this library", line)
      }
      lock.plugins[fields[0]]?.builds[target]?.libraries[fields[4]] = Self.digest(fields[3])
    }
    return lock
  }

  private mutating func add(_ line: Line, _ words: String, to lock: inout AppLock) {
    let fields = line.fields
    guard lock.plugins[fields[0]] != nil else {
      return incomplete("the lock has no line 'plugin \(fields[0]) VERSION' for \(words)", line)
    }
    switch line.kind {
    case "sources": lock.plugins[fields[0]]?.isFolder = true
    case "path": lock.plugins[fields[0]]?.path = fields[1]
    default:
      // In place: there may be many builds, which a copy of the plugin would copy each time.
      let target = AppLock.Target(architecture: fields[1], contract: fields[2])
      lock.plugins[fields[0]]?.builds[target] = Self.digest(fields[3]).map {
        PluginDigests(file: $0)
      }
    }
  }

  private mutating func incomplete(_ message: String, _ line: Line = Line()) {
    report(.lockIncomplete, message, Line(number: line.number))
  }

  private mutating func report(_ rule: Rule, _ message: String, _ line: Line = Line()) {
    problems.append(
      Diagnostic(
        DiagnosticMessage(rule, Wording.printable(message)),
        at: SourceRange(
          file: file, start: SourcePosition(line: line.number, column: 1),
          end: SourcePosition(
            line: line.number, column: line.text.unicodeScalars.count + 1))))
  }
}
