internal import Manifest
internal import Support

/// A code that nothing has.
public struct UnknownCode: Error, CustomStringConvertible {
  /// The code as it was given.
  public let code: String

  public var description: String { "appcore: " + reason }

  /// What is wrong, and the nearest code.
  package var reason: String {
    let codes = Explanation.all.map(\.code)
    // Of a long name the beginning, or one of its words, is what people remember.
    let nearest =
      NearestName.of(code, among: codes)
      ?? (code.count > 2 ? codes.first { $0.hasPrefix(code) || $0.contains("-" + code) } : nil)
    return "there is no code '\(SafeText.line(code))'"
      + (nearest.map { "; did you mean '\($0)'?" } ?? "; 'appcore explain' lists all codes")
  }
}

extension Explanation {
  /// What a code means, for a terminal.
  ///
  /// - Parameter code: the code; brackets around it, as in messages, do not count.
  /// - Returns: all meanings of the code, with a line break at the end.
  /// - Throws: ``UnknownCode``.
  public static func text(of code: String) throws(UnknownCode) -> String {
    var name = code[...]
    if name.hasPrefix("[") { name = name.dropFirst() }
    if name.hasSuffix("]") { name = name.dropLast() }
    let found = all.filter { $0.code == name }
    guard !found.isEmpty else { throw UnknownCode(code: String(name)) }
    return found.map { explanation in
      "\(explanation.code): \(explanation.family.words)\n\n"
        + fill(explanation.meaning) + "\n" + fill(explanation.remedy)
    }.joined(separator: "\n")
  }

  /// All codes with the first sentence of what they mean.
  public static var list: String {
    Family.allCases.map { family in
      let members = all.filter { $0.family == family }
      return members.first.map { "\($0.family.heading)\n" } ?? ""
    }.enumerated().map { index, heading in
      let family = Family.allCases[index]
      let lines = all.filter { $0.family == family }.map { "  \($0.code)\n      \($0.summary)\n" }
      return heading + lines.joined()
    }.joined(separator: "\n")
  }

  /// A paragraph in lines of at most 80 columns.
  private static func fill(_ paragraph: String) -> String {
    var lines: [String] = []
    var line = ""
    for word in paragraph.split(separator: " ") {
      if !line.isEmpty, line.count + 1 + word.count > 80 {
        lines.append(line)
        line = ""
      }
      line += (line.isEmpty ? "" : " ") + word
    }
    return (lines + [line]).map { $0 + "\n" }.joined()
  }
}

extension Explanation.Family {
  fileprivate var words: String {
    switch self {
    case .manifest: "a problem of a manifest"
    case .plugin: "a plugin that can't be had"
    case .line: "a line that is refused"
    case .step: "a step that is refused or dropped"
    }
  }

  fileprivate var heading: String {
    switch self {
    case .manifest: "Problems of manifests"
    case .plugin: "Plugins that can't be had"
    case .line: "Lines that are refused"
    case .step: "Steps that are refused or dropped"
    }
  }
}
