extension LineBuffer {
  /// Where the word before the cursor begins; words are letters, digits and `_`.
  var wordStart: Int {
    var position = cursor
    while position > 0, !Self.isWord(characters[position - 1]) { position -= 1 }
    while position > 0, Self.isWord(characters[position - 1]) { position -= 1 }
    return position
  }

  /// Where the word after the cursor ends.
  var wordEnd: Int {
    var position = cursor
    while position < characters.count, !Self.isWord(characters[position]) { position += 1 }
    while position < characters.count, Self.isWord(characters[position]) { position += 1 }
    return position
  }

  /// Where what stands between spaces before the cursor begins: what Ctrl-W takes.
  var spacedWordStart: Int {
    var position = cursor
    while position > 0, characters[position - 1].isWhitespace { position -= 1 }
    while position > 0, !characters[position - 1].isWhitespace { position -= 1 }
    return position
  }

  private static func isWord(_ character: Character) -> Bool {
    character.isLetter || character.isNumber || character == "_"
  }
}
