/// What of a source file can change the layout of a type: everything but comments and white space.
///
/// White space inside string literals goes too; it never changes a layout.
///
/// - Complexity: O(n) in the bytes of the source.
func significantBytes(of source: [UInt8]) -> [UInt8] {
  var result: [UInt8] = []
  result.reserveCapacity(source.count)
  var index = 0
  var commentDepth = 0
  var quote: Int?  // how many quotes close the string literal we are in
  func starts(_ text: StaticString, at position: Int) -> Bool {
    guard position + text.utf8CodeUnitCount <= source.count else { return false }
    return text.withUTF8Buffer { source[position...].starts(with: $0) }
  }
  while index < source.count {
    let byte = source[index]
    if commentDepth > 0 {
      if starts("*/", at: index) {
        commentDepth -= 1
        index += 2
      } else if starts("/*", at: index) {
        commentDepth += 1
        index += 2
      } else {
        index += 1
      }
      continue
    }
    if let quotes = quote {
      if byte == UInt8(ascii: "\\") {
        // A backslash before white space continues a line; otherwise it keeps a quote from ending.
        result.append(byte)
        index += 1
        if index < source.count, !isSpace(source[index]) {
          result.append(source[index])
          index += 1
        }
        continue
      }
      if starts(quotes == 3 ? "\"\"\"" : "\"", at: index) {
        result.append(byte)
        index += quotes
        quote = nil
        continue
      }
    } else if starts("\"\"\"", at: index) {
      quote = 3
      index += 3
      continue
    } else if byte == UInt8(ascii: "\"") {
      quote = 1
    } else if starts("//", at: index) {
      while index < source.count, source[index] != UInt8(ascii: "\n") { index += 1 }
      continue
    } else if starts("/*", at: index) {
      commentDepth = 1
      index += 2
      continue
    }
    if !isSpace(byte) { result.append(byte) }
    index += 1
  }
  return result
}

private func isSpace(_ byte: UInt8) -> Bool {
  byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\n") || byte == UInt8(ascii: "\t")
    || byte == UInt8(ascii: "\r")
}
