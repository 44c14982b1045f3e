/// How text is styled; the caller decides, see ``TerminalFacts``.
public struct Style: Hashable, Sendable {
  /// Whether ANSI colors and weights are used.
  public var hasColor: Bool
  /// Whether progress is drawn as a bar; a pipe gets a line.
  public var drawsBars: Bool
  /// Whether screens are linear text: words instead of symbols, rules and layout.
  public var isLinear: Bool

  public init(hasColor: Bool, drawsBars: Bool, isLinear: Bool = false) {
    self.hasColor = hasColor
    self.drawsBars = drawsBars
    self.isLinear = isLinear
  }

  /// No colors, no bars: for pipes.
  public static let plain = Style(hasColor: false, drawsBars: false)
  /// Linear text without escape codes: for screen readers, and for pipes that want no drawing.
  public static let linear = Style(hasColor: false, drawsBars: false, isLinear: true)
  public static let terminal = Style(hasColor: true, drawsBars: true)
}

/// A text's role, which determines its color.
///
/// Only colors that are legible on light and on dark are used, and color is never the only cue. The
/// raw value is the role's name in a manifest's theme, where it has one.
package enum Role: String, CaseIterable, Sendable {
  case plain, number
  /// Titles and headings.
  case strong = "title"
  /// What says less than the rest.
  case dim = "secondary"
  case success, warning, error
  /// What has the focus, and text that is being typed, full screen.
  case focus, selection
  /// Marks and keys, controls that can't be used, and what frames the rest, full screen.
  case accent, disabled, border

  package var code: String {
    switch self {
    case .plain: ""
    case .strong, .number, .accent: "1"
    case .dim, .disabled, .border: "2"
    case .success: "32"
    case .warning: "35"
    case .error: "31"
    case .focus: "7"
    case .selection: "4"
    }
  }
}

/// A line made of pieces, each with a role.
package struct StyledLine: Sendable, ExpressibleByStringInterpolation {
  package private(set) var pieces: [(text: String, role: Role)] = []

  package init() {}
  package init(_ text: String, _ role: Role = .plain) { append(text, role) }
  package init(stringLiteral value: String) { append(value, .plain) }

  package mutating func append(_ text: String, _ role: Role = .plain) {
    if text.isEmpty { return }
    // Spaces look the same in every role; neighbors of one role share their escape sequences.
    let role = text.utf8.allSatisfy { $0 == 0x20 } ? .plain : role
    if let last = pieces.last, last.role == role {
      pieces[pieces.count - 1].text += text
    } else {
      pieces.append((text, role))
    }
  }

  package mutating func append(_ line: StyledLine) {
    for (text, role) in line.pieces { append(text, role) }
  }

  package static func + (left: StyledLine, right: StyledLine) -> StyledLine {
    var line = left
    line.append(right)
    return line
  }

  package var width: Int { pieces.reduce(0) { $0 + DisplayWidth.of($1.text) } }

  /// The line as it is printed, without spaces at its end.
  package func text(_ style: Style) -> String {
    var pieces = pieces
    while let last = pieces.popLast() {
      let text = TextLayout.trimmedEnd(last.text)
      guard text.isEmpty else {
        pieces.append((text, last.role))
        break
      }
    }
    return pieces.map { text, role in
      style.hasColor && role != .plain ? "\u{1b}[\(role.code)m\(text)\u{1b}[0m" : text
    }.joined()
  }
}
