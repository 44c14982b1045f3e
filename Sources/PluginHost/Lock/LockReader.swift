package import Support

/// Reads a lock, strictly: whatever it does not recognize is a problem.
///
/// Lines may be in any order, so that a merge that keeps the lines of both sides is a lock.
package struct LockReader {
  /// The largest file that is read, in bytes: that of thousands of plugins.
  package static let sizeLimit = 4 << 20
  /// The number of problems after which reading stops: there may be one in each line.
  package static let problemLimit = 100

  /// A build's place: a plugin and a target.
  private struct Place: Hashable {
    let plugin: String
    let target: AppLock.Target
  }

  private let bytes: [UInt8]
  private let file: Int
  /// The line that is read, counted from 1, and its bytes.
  private var number = 0
  private var line: Range<Int> = 0..<0

  private var problems: [Diagnostic] = []
  /// The first line about each subject.
  private var places: [String: (number: Int, line: Range<Int>)] = [:]
  private var app: String?
  private var version: String?
  private var manifest: AppLock.File?
  private var includes: [String: SHA256] = [:]
  private var versions: [String: String] = [:]
  private var folders: [String: Int] = [:]
  private var builds: [Place: (digest: SHA256, line: Int)] = [:]
  private var libraries: [Place: (table: [String: SHA256], line: Int)] = [:]

  /// Reads a lock.
  ///
  /// - Parameters:
  ///   - bytes: the contents of the file.
  ///   - file: its index in the source map, for the positions of problems.
  /// - Returns: the lock, `nil` where there are problems.
  /// - Complexity: O(bytes).
  package static func read(
    _ bytes: [UInt8], file: Int = 0
  ) -> (lock: AppLock?, problems: [Diagnostic]) {
    var reader = LockReader(bytes: bytes, file: file)
    let lock = reader.read()
    return (reader.problems.isEmpty ? lock : nil, reader.problems.sortedByPosition())
  }

  private init(bytes: [UInt8], file: Int) {
    self.bytes = bytes
    self.file = file
  }

  private mutating func read() -> AppLock? {
    guard bytes.count <= Self.sizeLimit else {
      report(
        .lockTooLarge,
        "the lock has more than \(Self.sizeLimit >> 20) MiB; 'appcore lock' writes it again")
      return nil
    }
    guard checkText() else { return nil }
    // Tables that grow are copied again and again.
    let lines = bytes.count { $0 == 0x0a }
    places.reserveCapacity(lines)
    versions.reserveCapacity(lines / 2)
    builds.reserveCapacity(lines / 2)
    var start = 0
    while start < bytes.count, problems.count < Self.problemLimit {
      let end = bytes[start...].firstIndex(of: 0x0a)
      line = start..<(end ?? bytes.count)
      number += 1
      guard end != nil else {
        report(
          .lockIncomplete,
          "the last line has no end: the lock was cut off; 'appcore lock' writes it again")
        return nil
      }
      if number == 1 { guard readFirst() else { return nil } } else { readLine() }
      start = line.upperBound + 1
    }
    if number == 0 {
      report(.lockNotALock, "the lock is empty; 'appcore lock' writes it again")
      return nil
    }
    return problems.isEmpty ? assembled() : nil
  }

  /// Checks encoding, line breaks and control characters, before any line is read.
  private mutating func checkText() -> Bool {
    // Most locks are ASCII, which is faster to check.
    var isPlain = true
    for byte in bytes where byte < 0x20 && byte != 0x0a || byte >= 0x7f { isPlain = false }
    guard !isPlain else { return true }
    var start = 0
    while start < bytes.count {
      let end = bytes[start...].firstIndex(of: 0x0a) ?? bytes.count
      line = start..<end
      number += 1
      if line.last.map({ bytes[$0] }) == 0x0d {
        report(
          .lockLineBreaks,
          "this line ends with a carriage return; 'appcore lock' writes the lock again")
        return false
      }
      guard let text = String(validating: bytes[line], as: UTF8.self) else {
        report(.lockBadText, "this line is not UTF-8")
        return false
      }
      if !text.isEmpty, !AppLock.isText(text) {
        report(.lockBadText, "this line has a control character, or a space at an end")
        return false
      }
      start = end + 1
    }
    number = 0
    return true
  }

  private mutating func readFirst() -> Bool {
    let text = String(decoding: bytes[line], as: UTF8.self)
    let words = text.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, words[0] == "appcore-lock",
      words[1].utf8.allSatisfy({ (0x30...0x39).contains($0) }), !words[1].hasPrefix("0"),
      !words[1].isEmpty
    else {
      report(
        .lockNotALock,
        "the file does not begin with 'appcore-lock \(AppLock.format)'; it is not a lock")
      return false
    }
    guard words[1] == "\(AppLock.format)" else {
      report(
        .lockNewerFormat,
        "the lock has format \(words[1]), and this program reads format \(AppLock.format); update appcore"
      )
      return false
    }
    return true
  }
}

// The lines.
extension LockReader {
  /// A line that is split into fields from the left.
  private struct Fields {
    private let bytes: [UInt8]
    private let start: Int
    private var rest: Range<Int>

    init(_ bytes: [UInt8], _ line: Range<Int>) {
      self.bytes = bytes
      start = line.lowerBound
      rest = line
    }

    /// The bytes that were taken, with the spaces, as text.
    var taken: String { String(decoding: bytes[start..<rest.lowerBound], as: UTF8.self) }

    /// Takes the bytes before the next space, and skips the space.
    mutating func next() -> ArraySlice<UInt8> {
      let end = bytes[rest].firstIndex(of: 0x20) ?? rest.upperBound
      defer { rest = min(end + 1, rest.upperBound)..<rest.upperBound }
      return bytes[rest.lowerBound..<end]
    }

    mutating func word() -> String { String(decoding: next(), as: UTF8.self) }

    /// The bytes that were not taken.
    var left: ArraySlice<UInt8> { bytes[rest] }

    /// The same as text.
    func remaining() -> String { String(decoding: left, as: UTF8.self) }
  }

  private mutating func readLine() {
    var fields = Fields(bytes, line)
    switch fields.word() {
    case "app":
      guard let name = text(fields.remaining(), "app NAME"), isFirst("app") else { return }
      app = name
    case "version":
      guard let text = text(fields.remaining(), "version VERSION"), isFirst("version") else {
        return
      }
      version = text
    case "manifest":
      guard let file = readFile(&fields), isFirst("manifest"), isFirst("file " + file.path) else {
        return
      }
      manifest = file
    case "include":
      guard let file = readFile(&fields), isFirst("file " + file.path) else { return }
      includes[file.path] = file.digest
    case "plugin":
      guard let name = name(fields.word(), "plugin NAME VERSION"),
        let version = text(fields.remaining(), "plugin NAME VERSION"), isFirst("plugin " + name)
      else { return }
      versions[name] = version
    case "sources":
      guard let name = name(fields.remaining(), "sources NAME"), isFirst("sources " + name) else {
        return
      }
      folders[name] = number
    case "build":
      guard let place = readPlace(&fields, "build NAME ARCHITECTURE CONTRACT DIGEST"),
        let digest = digest(fields.left), isFirst(fields.taken)
      else { return }
      builds[place] = (digest, number)
    case "library": readLibrary(&fields)
    default: reportUnknown()
    }
  }

  private mutating func readLibrary(_ fields: inout Fields) {
    let form = "library NAME ARCHITECTURE CONTRACT DIGEST LIBRARY"
    guard let place = readPlace(&fields, form) else { return }
    let subject = fields.taken
    guard let digest = digest(fields.next()), let library = text(fields.remaining(), form) else {
      return
    }
    guard AppLock.isPath(library), !library.contains("/") else {
      return report(.lockBadPath, "'\(library)' is not the name of a library beside a plugin")
    }
    guard isFirst(subject + library) else { return }
    libraries[place, default: ([:], number)].table[library] = digest
  }

  private mutating func readFile(_ fields: inout Fields) -> AppLock.File? {
    guard let digest = digest(fields.next()) else { return nil }
    let path = fields.remaining()
    guard AppLock.isPath(path) else {
      report(
        .lockBadPath,
        "the path '\(path)' does not lead to a file in the folder of the manifest")
      return nil
    }
    return AppLock.File(path: path, digest: digest)
  }

  private mutating func readPlace(_ fields: inout Fields, _ form: String) -> Place? {
    guard let plugin = name(fields.word(), form) else { return nil }
    let (architecture, contract) = (fields.word(), fields.word())
    guard Self.isWord(architecture), Self.isWord(contract) else {
      reportForm(form)
      return nil
    }
    return Place(
      plugin: plugin, target: AppLock.Target(architecture: architecture, contract: contract))
  }

  private mutating func name(_ word: String, _ form: String) -> String? {
    guard PluginLocator.isName(word) else {
      reportForm(form)
      return nil
    }
    return word
  }

  private mutating func text(_ text: String, _ form: String) -> String? {
    guard AppLock.isText(text) else {
      reportForm(form)
      return nil
    }
    return text
  }

  private mutating func digest(_ digits: ArraySlice<UInt8>) -> SHA256? {
    guard let digest = SHA256(digits: digits) else {
      let text = String(decoding: digits, as: UTF8.self)
      report(.lockBadDigest, "'\(text)' is not a digest: 64 hexadecimal digits in lower case")
      return nil
    }
    return digest
  }

  private static func isWord(_ text: String) -> Bool {
    !text.isEmpty
      && text.utf8.allSatisfy {
        (0x30...0x39).contains($0) || (0x61...0x7a).contains($0) || (0x41...0x5a).contains($0)
          || $0 == 0x5f
      }
  }

  /// Whether this is the first line about a subject; reports a problem otherwise.
  private mutating func isFirst(_ subject: String) -> Bool {
    guard let first = places[subject] else {
      places[subject] = (number, line)
      return true
    }
    // The manifest's own path is entered with its line.
    guard first.number != number else { return true }
    if bytes[first.line] == bytes[line] {
      report(.lockDuplicateLine, "this line repeats line \(first.number); remove one of the two")
    } else {
      report(
        .lockContradiction,
        "this line contradicts line \(first.number); remove the one that is wrong")
    }
    return false
  }

  private mutating func reportForm(_ form: String) {
    report(.lockUnknownLine, "this line is not of the form '\(form)'")
  }

  private mutating func reportUnknown() {
    for mark in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"]
    where bytes[line].starts(with: mark.utf8) {
      return report(.lockUnknownLine, "a merge left this conflict marker; resolve it")
    }
    report(.lockUnknownLine, "no line of a lock begins like this; remove it")
  }

  private mutating func report(_ rule: Rule, _ message: String) {
    let text = String(decoding: bytes[line], as: UTF8.self)
    let line = max(number, 1)
    problems.append(
      Diagnostic(
        Finding(rule, Wording.printable(message)),
        at: SourceRange(
          file: file, start: SourcePosition(line: line, column: 1),
          end: SourcePosition(line: line, column: text.unicodeScalars.count + 1))))
  }
}

// The whole.
extension LockReader {
  private mutating func assembled() -> AppLock? {
    guard let app else {
      return incomplete("the lock has no line 'app NAME'; 'appcore lock' writes it again")
    }
    guard let manifest else {
      return incomplete(
        "the lock has no line 'manifest DIGEST PATH'; 'appcore lock' writes it again")
    }
    var lock = AppLock(app: app, version: version, manifest: manifest, includes: includes)
    for (name, version) in versions { lock.plugins[name] = AppLock.Plugin(version: version) }
    for (name, line) in folders {
      guard lock.plugins[name] != nil else {
        incomplete("the lock has no line 'plugin \(name) VERSION' for these sources", line)
        continue
      }
      lock.plugins[name]?.isFolder = true
    }
    for (place, build) in builds {
      guard lock.plugins[place.plugin] != nil else {
        incomplete(
          "the lock has no line 'plugin \(place.plugin) VERSION' for this build", build.line)
        continue
      }
      lock.plugins[place.plugin]?.builds[place.target] = AppLock.Build(digest: build.digest)
    }
    for (place, entry) in libraries {
      guard lock.plugins[place.plugin]?.builds[place.target] != nil else {
        incomplete("the lock has no line 'build \(place.plugin) …' for this library", entry.line)
        continue
      }
      lock.plugins[place.plugin]?.builds[place.target]?.libraries = entry.table
    }
    return lock
  }

  @discardableResult
  private mutating func incomplete(_ why: String, _ line: Int = 1) -> AppLock? {
    (number, self.line) = (line, 0..<0)
    report(.lockIncomplete, why)
    return nil
  }
}
