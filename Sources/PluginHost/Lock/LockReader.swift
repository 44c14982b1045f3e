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
    let number: Int
    let text: String
  }

  private struct Place: Hashable {
    let plugin: String
    let target: AppLock.Target
  }

  private let file: Int
  private var format = AppLock.format
  private var problems: [Diagnostic] = []
  /// The first line about each subject.
  private var subjects: [String: Line] = [:]
  private var app: String?
  private var version: String?
  private var manifest: AppLock.File?
  private var includes: [String: SHA256] = [:]
  private var plugins: [String: String] = [:]
  private var paths: [String: (path: String, line: Line)] = [:]
  private var folders: [String: Line] = [:]
  private var builds: [Place: (digest: SHA256, line: Line)] = [:]
  private var libraries: [Place: (table: [String: SHA256], line: Line)] = [:]

  /// Reads a lock.
  ///
  /// - Returns: the lock, `nil` where there are problems.
  /// - Complexity: O(bytes).
  package static func read(
    _ bytes: [UInt8], file: Int = 0
  ) -> (lock: AppLock?, problems: [Diagnostic]) {
    var reader = LockReader(file: file)
    let lock = reader.read(bytes)
    return (reader.problems.isEmpty ? lock : nil, reader.problems.sortedByPosition())
  }

  private init(file: Int) { self.file = file }

  private mutating func read(_ bytes: [UInt8]) -> AppLock? {
    let top = Line(number: 1, text: "")
    guard bytes.count <= Self.sizeLimit else {
      return stop(
        "the lock has more than \(Self.sizeLimit >> 20) MiB; 'appcore lock' writes it again", top)
    }
    guard !bytes.isEmpty else {
      return stop("the lock is empty; 'appcore lock' writes it again", top)
    }
    let lines = bytes.split(separator: 0x0a, omittingEmptySubsequences: false)
    for (index, bytes) in lines.dropLast().enumerated() where problems.count < Self.problemLimit {
      guard let text = String(validating: bytes, as: UTF8.self) else {
        let shown = Line(number: index + 1, text: String(decoding: bytes, as: UTF8.self))
        return stop("this line is not UTF-8", shown)
      }
      let line = Line(number: index + 1, text: text)
      if bytes.last == 0x0d {
        return stop(
          "this line ends with a carriage return; 'appcore lock' writes the lock again", line)
      }
      if index > 0 { read(line) } else if !readFirst(line) { return nil }
    }
    if let last = lines.last, !last.isEmpty, problems.count < Self.problemLimit {
      let line = Line(number: lines.count, text: String(decoding: last, as: UTF8.self))
      report(
        .lockIncomplete,
        "the last line has no end: the lock was cut off; 'appcore lock' writes it again", line)
    }
    return problems.isEmpty ? assembled() : nil
  }

  private mutating func readFirst(_ line: Line) -> Bool {
    let words = line.text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == "appcore-lock", let format = Int(words[1]), format > 0,
      "\(format)" == words[1]
    else {
      _ = stop(
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
    let parts = line.text.utf8.split(separator: 0x20, maxSplits: 1).map { String(Substring($0)) }
    guard let kind = parts.first, let form = Self.forms[kind] else {
      let isConflict = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"].contains {
        line.text.hasPrefix($0)
      }
      return report(
        .lockMalformed,
        parts.first == "appcore-lock"
          ? "a merge left a second line with the lock's format; keep one of the two, and run "
            + "'appcore lock'"
          : isConflict
            ? "a merge left this conflict marker; resolve it"
            : "no line of a lock begins like this; remove it", line)
    }
    let names = form.split(separator: " ")
    let fields = line.text.utf8
      .split(separator: 0x20, maxSplits: names.count, omittingEmptySubsequences: false)
      .dropFirst().map { String(Substring($0)) }
    guard fields.count == names.count, zip(names, fields).allSatisfy({ Self.fits($0, $1) }) else {
      return report(
        .lockMalformed,
        "this line is not of the form '\(kind) \(form.replacing("PLUGIN", with: "NAME"))'",
        line)
    }
    take(kind, fields, line)
  }

  private static func fits(_ name: Substring, _ field: String) -> Bool {
    switch name {
    case "DIGEST": SHA256(digits: Array(field.utf8)[...]) != nil
    case "PLUGIN": PluginLocator.isName(field)
    case "ARCHITECTURE", "CONTRACT":
      !field.isEmpty && field.utf8.allSatisfy { PluginLocator.isNameByte($0) }
    default: AppLock.isText(field)
    }
  }

  /// Takes the facts of a line that has the right form.
  private mutating func take(_ kind: String, _ fields: [String], _ line: Line) {
    func digest(_ index: Int) -> SHA256 {
      SHA256(digits: Array(fields[index].utf8)[...]) ?? SHA256([UInt8]())
    }
    switch kind {
    case "app": if isFirst(kind, line) { app = fields[0] }
    case "version": if isFirst(kind, line) { version = fields[0] }
    case "manifest", "include":
      guard isPath(fields[1], line) else { return }
      guard kind == "include" || isFirst(kind, line), isFirst("file " + fields[1], line) else {
        return
      }
      if kind == "include" {
        includes[fields[1]] = digest(0)
      } else {
        manifest = AppLock.File(path: fields[1], digest: digest(0))
      }
    case "plugin": if isFirst("plugin " + fields[0], line) { plugins[fields[0]] = fields[1] }
    case "path":
      guard format > 1 else {
        return report(
          .lockMalformed,
          "a lock of format 1 has no paths of plugins; 'appcore lock' writes it again", line)
      }
      guard isPath(fields[1], line), isFirst("path " + fields[0], line) else { return }
      paths[fields[0]] = (fields[1], line)
    case "sources": if isFirst("sources " + fields[0], line) { folders[fields[0]] = line }
    default:
      let place = Place(
        plugin: fields[0],
        target: AppLock.Target(architecture: fields[1], contract: fields[2]))
      let subject = ([kind] + fields[..<3]).joined(separator: " ")
      if kind == "build" {
        if isFirst(subject, line) { builds[place] = (digest(3), line) }
        return
      }
      guard AppLock.isPath(fields[4]), !fields[4].contains("/") else {
        return report(
          .lockBadPath, "'\(fields[4])' is not the name of a library beside a plugin", line)
      }
      if isFirst(subject + " " + fields[4], line) {
        libraries[place, default: ([:], line)].table[fields[4]] = digest(3)
      }
    }
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

  private mutating func assembled() -> AppLock? {
    let top = Line(number: 1, text: "")
    guard let app else {
      return incomplete("the lock has no line 'app NAME'; 'appcore lock' writes it again", top)
    }
    guard let manifest else {
      return incomplete(
        "the lock has no line 'manifest DIGEST PATH'; 'appcore lock' writes it again", top)
    }
    var lock = AppLock(app: app, version: version, manifest: manifest, includes: includes)
    lock.plugins = plugins.mapValues { AppLock.Plugin(version: $0) }
    for (name, line) in folders where lock.plugins[name] == nil {
      _ = incomplete("the lock has no line 'plugin \(name) VERSION' for these sources", line)
    }
    for name in folders.keys { lock.plugins[name]?.isFolder = true }
    for (name, (path, line)) in paths {
      if lock.plugins[name] == nil {
        _ = incomplete("the lock has no line 'plugin \(name) VERSION' for this path", line)
      }
      lock.plugins[name]?.path = path
    }
    for (place, build) in builds {
      if lock.plugins[place.plugin] == nil {
        _ = incomplete(
          "the lock has no line 'plugin \(place.plugin) VERSION' for this build", build.line)
      }
      lock.plugins[place.plugin]?.builds[place.target] = AppLock.Build(digest: build.digest)
    }
    for (place, entry) in libraries {
      if builds[place] == nil || plugins[place.plugin] == nil {
        _ = incomplete(
          "the lock has no line 'build \(place.plugin) …' for this library", entry.line)
      }
      lock.plugins[place.plugin]?.builds[place.target]?.libraries = entry.table
    }
    return lock
  }

  private mutating func incomplete(_ message: String, _ line: Line) -> AppLock? {
    report(.lockIncomplete, message, Line(number: line.number, text: ""))
    return nil
  }

  private mutating func stop(_ message: String, _ line: Line) -> AppLock? {
    report(.lockMalformed, message, line)
    return nil
  }

  private mutating func report(_ rule: Rule, _ message: String, _ line: Line) {
    problems.append(
      Diagnostic(
        DiagnosticMessage(rule, Wording.printable(message)),
        at: SourceRange(
          file: file, start: SourcePosition(line: line.number, column: 1),
          end: SourcePosition(
            line: line.number, column: line.text.unicodeScalars.count + 1))))
  }
}
