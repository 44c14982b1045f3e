/// The name that a user logs in with.
struct UserName: Hashable, Sendable {
  /// The maximum number of characters in a name.
  static let limit = 64

  /// Why a text is not a name.
  enum Problem: Error, Hashable, Sendable {
    case empty
    case tooLong
    /// It contains a character that can't be part of a single line of text.
    case controlCharacter
  }

  let text: String

  /// Creates a name from a text, without its leading and trailing whitespace.
  init(_ typed: String) throws(Problem) {
    let start = typed.drop { $0.isWhitespace }
    let end = start.lastIndex { !$0.isWhitespace }
    guard let end else { throw .empty }
    let name = start[...end]
    guard name.count <= Self.limit else { throw .tooLong }
    let isPlain = name.unicodeScalars.allSatisfy { scalar in
      switch scalar.properties.generalCategory {
      case .control, .lineSeparator, .paragraphSeparator, .surrogate, .unassigned: false
      default: true
      }
    }
    guard isPlain else { throw .controlCharacter }
    text = String(name)
  }
}

extension UserName.Problem: CustomStringConvertible {
  /// The remedy, to be shown at the field.
  var description: String {
    switch self {
    case .empty: "type your name first"
    case .tooLong: "a name has at most \(UserName.limit) characters"
    case .controlCharacter: "a name has no control characters in it"
    }
  }
}
