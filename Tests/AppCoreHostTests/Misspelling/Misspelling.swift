/// One slip of the hand in one scalar of a manifest.
struct Misspelling: CustomStringConvertible {
  /// What became of one character.
  enum Slip: CaseIterable {
    case dropped, doubled, swapped
  }

  /// The whole manifest with the slip in it.
  let text: String
  /// The line that it is on, from 1.
  let line: Int
  let description: String

  /// Every slip of every character of every scalar: keys and values, in quotes or not.
  static func all(in text: String) -> [Misspelling] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(Array.init)
    var found: [Misspelling] = []
    for (number, line) in lines.enumerated() {
      for scalar in scalars(of: line) {
        for place in scalar {
          for slip in Slip.allCases {
            guard let changed = apply(slip, to: line, at: place, in: scalar) else { continue }
            var all = lines
            all[number] = changed
            let word = String(
              changed[scalar.lowerBound..<min(scalar.upperBound + 1, changed.count)])
            found.append(
              Misspelling(
                text: all.map { String($0) }.joined(separator: "\n"), line: number + 1,
                description: "line \(number + 1), '\(String(line[scalar]))' as '\(word)'"))
          }
        }
      }
    }
    return found
  }

  private static func apply(
    _ slip: Slip, to line: [Character], at place: Int, in scalar: Range<Int>
  ) -> [Character]? {
    var line = line
    switch slip {
    case .dropped: line.remove(at: place)
    case .doubled: line.insert(line[place], at: place)
    case .swapped:
      guard place + 1 < scalar.upperBound, line[place] != line[place + 1] else { return nil }
      line.swapAt(place, place + 1)
    }
    return line
  }

  /// The scalars of a line, without their quotes; comments are none.
  static func scalars(of line: [Character]) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var start: Int?
    var offset = 0
    func end(at offset: Int) {
      guard let from = start else { return }
      start = nil
      var last = offset
      while last > from, line[last - 1] == " " { last -= 1 }
      if last > from { found.append(from..<last) }
    }
    while offset < line.count {
      let character = line[offset]
      let next = offset + 1 < line.count ? line[offset + 1] : " "
      switch character {
      case "#" where offset == 0 || line[offset - 1] == " ":
        end(at: offset)
        return found
      case "\"" where start == nil:
        let from = offset + 1
        offset += 1
        while offset < line.count, line[offset] != "\"" { offset += 1 }
        if offset > from { found.append(from..<offset) }
      case "{", "}", "[", "]", ",": end(at: offset)
      case ":" where next == " ": end(at: offset)
      case "-" where next == " " && start == nil: break
      case " ": break
      default: if start == nil { start = offset }
      }
      offset += 1
    }
    end(at: line.count)
    return found
  }
}
