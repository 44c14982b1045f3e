internal import Glibc

/// The names of fields, numbered, with the line where each was last seen.
///
/// The line detects a field that appears twice in a stanza, in constant time whatever fields the
/// file has.
struct FieldTable {
  private var names = NameTable()
  /// Indexed by field number; lines are counted from 1, and 0 means that there is none.
  private var lastLines: [Int] = []
  /// Recent spellings, indexed by a cheap hash: nearly every field of a file is found here.
  private var recent = [Recent](repeating: Recent(), count: 64)

  private struct Recent {
    var spelling = Bytes(start: nil, count: 0)
    var number: Int32 = -1
  }

  /// Creates a table in which the number of each ``ControlField`` is its raw value.
  init() {
    for field in ControlField.allCases {
      var name = field.name
      _ = name.withUTF8 { names.intern($0) }
      lastLines.append(0)
    }
  }

  /// The number of a field; a new field gets the next number.
  ///
  /// The name must not be empty, and its bytes must outlive the table.
  mutating func number(of name: Bytes) -> Int32 {
    let digest = name.count &* 7 &+ Int(name[0]) &+ Int(name[name.count - 1]) &* 3
    let place = digest & (recent.count - 1)
    if isSame(recent[place].spelling, name) { return recent[place].number }
    let number = names.intern(name)
    if Int(number) == lastLines.count { lastLines.append(0) }
    recent[place] = Recent(spelling: name, number: number)
    return number
  }

  /// Records the line where a field is seen.
  ///
  /// - Returns: the line where it was last seen before, or 0.
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
