/// The errors in a compiler's output, each with what to write instead if the compiler does not say
/// it.
///
/// Cases of `Destinations` are members that the compiler looks up only after a type's name, and
/// kinds of actions have defaults that are meant for those who leave them out. What it says of either
/// is about the SDK's types, and not about what is missing.
struct CompilerErrors {
  /// The first line of each, as in `A.swift:3:5: cannot find 'x' in scope`, with its advice; in the
  /// order of the sources, those without a position last.
  private(set) var lines: [String] = []
  /// The lines to print after the compiler's own.
  private(set) var additions: [String] = []

  /// The compiler's output, without colors.
  private let output: String
  /// The text of a source, by its path in the output.
  private let source: (String) -> String?

  init(in output: String, source: @escaping (String) -> String?) {
    self.output = Self.plain(output)
    self.source = source
    for text in firstLines {
      let (line, addition) = advised(text)
      lines.append(line)
      if let addition { additions.append(addition) }
    }
  }

  static func plain(_ output: String) -> String {
    output.replacing(/\u{1b}\[[0-9;]*m/, with: "")
  }

  /// A place in a source, and what is said of it.
  private struct Place {
    let file: String
    let line: Int
    /// Counted from 1, in UTF-8 code units.
    let column: Int
    let message: String

    init?(_ text: String) {
      guard let match = text.wholeMatch(of: #/(.+?):(\d+):(\d+): (.+)/#),
        let line = Int(match.2), let column = Int(match.3)
      else { return nil }
      file = String(match.1)
      message = String(match.4)
      (self.line, self.column) = (line, column)
    }

    var shown: String { "\(file):\(line):\(column)" }
  }

  private var firstLines: [String] {
    var found: [String] = []
    var seen: Set<Substring> = []
    for line in output.split(whereSeparator: \.isNewline) {
      // `file:3:5: error: …` of the compiler, and `…: undefined reference to …` of the linker.
      let isError = line.hasPrefix("error: ") || line.contains(": error: ")
      let isLink = line.contains("undefined reference") || line.contains("undefined symbol")
      guard isError || isLink, seen.insert(line).inserted else { continue }
      found.append(String(line).replacing(": error: ", with: ": "))
    }
    // The linker's own errors say more than that linking failed.
    if found.count > 1 { found.removeAll { $0.hasPrefix("error: link command failed") } }
    let order = found.enumerated().map { index, text in
      Place(text).map { ($0.file, $0.line, $0.column, index) } ?? ("\u{10ffff}", 0, 0, index)
    }
    return order.sorted { $0 < $1 }.map { found[$0.3] }
  }

  private func advised(_ text: String) -> (line: String, addition: String?) {
    guard let place = Place(text) else { return (text, nil) }
    if place.message.hasPrefix("failed to produce diagnostic") { return surrender(place) }
    guard let advice = missingKind(place) ?? undeclaredKind(place) ?? destination(place) else {
      return (text, nil)
    }
    return ("\(text); \(advice)", "\(place.shown): note: \(advice)")
  }

  /// The compiler gave up on a closure or an expression, of which it names the beginning.
  private func surrender(_ start: Place) -> (line: String, addition: String?) {
    var place = start.shown
    var message = "the compiler gave up on the code that begins here, and does not say why"
    var advice = "leave out parts of it until the compiler accepts it or says what is wrong"
    if let (line, column, name) = destinationPattern(after: start) {
      place = "\(start.file):\(line):\(column)"
      message = "the compiler gave up: '\(name)' of 'Destinations' can't be matched by a pattern"
      advice = Self.match(name)
    }
    return (
      "\(place): \(message); \(advice)", "\(place): error: \(message)\n\(place): note: \(advice)"
    )
  }

  private static func match(_ name: some StringProtocol) -> String {
    "match '.presented(let action)', and then "
      + "'if case .delegate(.saved(let item)) = action.\(name)'"
  }

  /// The first pattern that names a case of `Destinations`, from the place on.
  private func destinationPattern(after place: Place) -> (line: Int, column: Int, name: String)? {
    guard let text = source(place.file) else { return nil }
    let names = Set(text.matches(of: #/let\s+(\w+)\s*=\s*Case\s*\(/#).map { String($0.1) })
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    for (index, line) in lines.enumerated().dropFirst(place.line - 1) {
      let pattern = #/\bcase\b.*(?:\.presented\s*\(|action:)\s*\.(\w+)\s*\(/#
      guard let match = line.firstMatch(of: pattern), names.contains(String(match.1)),
        !line.drop(while: \.isWhitespace).hasPrefix("//")
      else { continue }
      let column = line.utf8.distance(from: line.startIndex, to: match.1.startIndex) + 1
      return (index + 1, column, String(match.1))
    }
    return nil
  }

  /// A name of a case of `Destinations` without the type's name before it.
  private func destination(_ place: Place) -> String? {
    let pattern = #/\bDestination(State|Action)<([^']+?)>+' ?\)? has no member '(\w+)'/#
    let plain = place.message.replacing("')", with: "' ")
    guard let match = plain.firstMatch(of: pattern) else { return nil }
    let isPattern = before(place).map { $0.contains(#/\bcase\b[^=]*$/#) } ?? false
    return isPattern ? Self.match(match.3) : "write '\(match.2).\(match.1).\(match.3)(…)'"
  }

  /// A kind whose type is declared, and whose case is not.
  private func missingKind(_ place: Place) -> String? {
    guard
      let match = place.message.wholeMatch(
        of: #/type '(.+)' does not conform to protocol 'FeatureAction'/#),
      let start = output.firstRange(of: "\(place.shown): error: \(place.message)")
    else { return nil }
    let rest = output[start.upperBound...]
    let end = rest.firstRange(of: #/\n\S+:\d+:\d+: error: /#)?.lowerBound ?? rest.endIndex
    var cases: [String] = []
    for note in rest[..<end].matches(
      of: #/protocol requires function '(view|internal|delegate|input)' with type/#)
    {
      let text = "'\(Self.declaration(of: note.1))'"
      if !cases.contains(text) { cases.append(text) }
    }
    guard !cases.isEmpty else { return nil }
    return "add \(cases.joined(separator: " and ")) to '\(match.1)'"
  }

  /// An action of a kind that is not declared, and therefore `Never`.
  private func undeclaredKind(_ place: Place) -> String? {
    guard let member = place.message.wholeMatch(of: #/type 'Never' has no member '(\w+)'/#),
      let kind = before(place)?.firstMatch(of: #/\.(view|internal|delegate|input)\(\s*\.?$/#)?.1
    else { return nil }
    let coding = kind == "internal" ? "Sendable" : "Codable, Sendable"
    return "declare the kind: 'enum \(Self.capitalized(kind)): \(coding) { case \(member.1) }' "
      + "and '\(Self.declaration(of: kind))'"
  }

  private static func declaration(of kind: Substring) -> String {
    "case \(kind == "internal" ? "`internal`" : String(kind))(\(capitalized(kind)))"
  }

  private static func capitalized(_ word: Substring) -> String {
    word.prefix(1).uppercased() + word.dropFirst()
  }

  /// The line of a place, up to the place.
  private func before(_ place: Place) -> Substring? {
    guard let text = source(place.file) else { return nil }
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    guard lines.indices.contains(place.line - 1) else { return nil }
    let line = lines[place.line - 1]
    let end = line.utf8.index(
      line.startIndex, offsetBy: place.column - 1, limitedBy: line.endIndex)
    return line[..<(end ?? line.endIndex)]
  }

  /// What a compiler that crashed was doing, outermost first; `nil` if it did not crash.
  ///
  /// The compiler prints that as numbered lines, after those with its arguments and its version, or
  /// as a note below an error that it asks to be reported.
  static func crash(in output: String) -> [String]? {
    // The compiler also asks for a report of a mistake in the sources that it has no words for.
    let plain = plain(output).replacing(/failed to produce diagnostic.*/, with: "")
    guard plain.contains("ubmit a bug report") || plain.contains("failed due to signal") else {
      return nil
    }
    var doing: [String] = []
    for line in plain.split(whereSeparator: \.isNewline) {
      if let match = line.wholeMatch(of: /(\d+)\.\t(.+)/) {
        let words = ["Program arguments:", "Swift version", "Compiling with"]
        if !words.contains(where: match.2.hasPrefix) { doing.append(String(match.2)) }
      } else if let match = line.wholeMatch(of: /(.+:\d+:\d+): (error|note): (.+)/) {
        doing.append("\(match.1): \(match.3)")
      } else if line.hasPrefix(" for '") || line.hasPrefix(" in '"), let last = doing.last {
        // The rest of the last message: where it was.
        doing[doing.count - 1] = last + line
      }
    }
    return doing
  }
}
