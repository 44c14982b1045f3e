internal import Glibc

/// The names of fields, numbered, with the line where each was last seen.
///
/// That line is what tells a field that appears twice in a stanza, in constant time whatever fields
/// a file has.
struct FieldTable {
  private var names = NameTable()
  /// By field number; lines are counted from 1.
  private var lastLines: [Int] = []
  /// Recent spellings by a cheap digest: nearly every field of a file is found here.
  private var recent = [Recent](repeating: Recent(), count: 64)

  private struct Recent {
    var spelling = Bytes(start: nil, count: 0)
    var number: Int32 = -1
  }

  /// Makes a table where the fields that the parser reads have their own numbers.
  init() {
    for field in ControlField.allCases {
      var name = field.name
      _ = name.withUTF8 { names.intern($0) }
      lastLines.append(0)
    }
  }

  /// The number of a field, which is new if the field is.
  ///
  /// The bytes of its name live as long as the table, and are at least one.
  mutating func number(of name: Bytes) -> Int32 {
    let digest = name.count &* 7 &+ Int(name[0]) &+ Int(name[name.count - 1]) &* 3
    let place = digest & (recent.count - 1)
    if isSame(recent[place].spelling, name) { return recent[place].number }
    let number = names.intern(name)
    if Int(number) == lastLines.count { lastLines.append(0) }
    recent[place] = Recent(spelling: name, number: number)
    return number
  }

  /// Notes where a field is seen.
  ///
  /// - Returns: the line where it was seen before, or 0.
  mutating func mark(_ number: Int32, line: Int) -> Int {
    defer { lastLines[Int(number)] = line }
    return lastLines[Int(number)]
  }

  /// The line where a field was last seen, or 0.
  func lastLine(of field: ControlField) -> Int { lastLines[Int(field.rawValue)] }

  private func isSame(_ spelling: Bytes, _ name: Bytes) -> Bool {
    guard spelling.count == name.count, let left = spelling.baseAddress,
      let right = name.baseAddress
    else { return false }
    return memcmp(left, right, name.count) == 0
  }
}
