/// Looks for text in text, byte for byte.
enum SubstringSearch {
  static func contains(_ text: [UInt8], _ wanted: [UInt8]) -> Bool {
    guard let first = wanted.first else { return true }
    guard text.count >= wanted.count else { return false }
    for start in 0...(text.count - wanted.count) where text[start] == first {
      if text[start...].starts(with: wanted) { return true }
    }
    return false
  }
}
