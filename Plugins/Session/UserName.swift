/// A name that somebody logs in with.
struct UserName: Hashable, Sendable {
  /// How many characters a name may have.
  static let limit = 64

  /// Why a text is not a name.
  enum Problem: Error, Hashable, Sendable {
    case empty
    case tooLong
    /// It holds a character that is not a part of a line of text.
    case controlCharacter
  }

  let text: String

  /// Takes a text without the blanks around it.
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
  /// What to do about it.
  var description: String {
    switch self {
    case .empty: "type your name first"
    case .tooLong: "a name has at most \(UserName.limit) characters"
    case .controlCharacter: "a name has no control characters in it"
    }
  }
}
