internal import Foundation

/// What was printed, compared with what was expected, line by line.
///
/// In an expected line `[..]` stands for any text, and a line `...` for any number of lines. The
/// comparison is an alignment with the fewest lines missing or added, so that one pass gives the
/// verdict, the difference that a person reads, and the lines to record.
package struct OutputComparison {
  private enum Step {
    case same(expected: String)
    case missing(String)
    case added(String)
  }
  private let steps: [Step]

  /// Whether what was printed is what was expected.
  package var isEqual: Bool {
    steps.allSatisfy { if case .same = $0 { true } else { false } }
  }

  /// Compares two lists of lines.
  ///
  /// - Complexity: O(*n* · *m*), in the numbers of lines; O(*n*) where they are equal.
  package init(expected: [String], printed: [String]) {
    guard expected != printed else {
      steps = expected.map { .same(expected: $0) }
      return
    }
    let columns = printed.count + 1
    // The fewest differences between the lines from `row` and those from `column` on.
    var costs = [Int32](repeating: 0, count: (expected.count + 1) * columns)
    let patterns = expected.map(LinePattern.init)
    for row in (0...expected.count).reversed() {
      for column in (0...printed.count).reversed()
      where row < expected.count || column < printed.count {
        let place = row * columns + column
        var best = Int32.max
        if row < expected.count {
          let down = costs[place + columns]
          best = patterns[row].isAnyLines ? down : down + 1
        }
        if column < printed.count {
          let isFree = row < expected.count && patterns[row].isAnyLines
          best = min(best, costs[place + 1] + (isFree ? 0 : 1))
          if row < expected.count, patterns[row].matches(printed[column]) {
            best = min(best, costs[place + columns + 1])
          }
        }
        costs[place] = best
      }
    }
    var steps: [Step] = []
    var (row, column) = (0, 0)
    while row < expected.count || column < printed.count {
      let place = row * columns + column
      let cost = costs[place]
      if row < expected.count, column < printed.count, !patterns[row].isAnyLines,
        patterns[row].matches(printed[column]), cost == costs[place + columns + 1]
      {
        steps.append(.same(expected: expected[row]))
        (row, column) = (row + 1, column + 1)
      } else if row < expected.count, patterns[row].isAnyLines, cost == costs[place + columns] {
        steps.append(.same(expected: expected[row]))
        row += 1
      } else if row < expected.count, patterns[row].isAnyLines {
        column += 1
      } else if row < expected.count, cost == costs[place + columns] + 1 {
        steps.append(.missing(expected[row]))
        row += 1
      } else {
        steps.append(.added(printed[column]))
        column += 1
      }
    }
    self.steps = steps
  }

  /// The lines to record: those printed, with the patterns that still match.
  package var recorded: [String] {
    steps.compactMap { step in
      switch step {
      case .same(let line), .added(let line): line
      case .missing: nil
      }
    }
  }

  /// The difference as in a unified diff: `-` before what is missing, `+` before what was added, and
  /// three lines around each change.
  package var difference: String {
    let isShown = steps.indices.map { index in
      steps[max(0, index - 3)...min(steps.count - 1, index + 3)].contains {
        if case .same = $0 { false } else { true }
      }
    }
    var lines: [String] = []
    for (index, step) in steps.enumerated() {
      guard isShown[index] else {
        if lines.last != " ⋮" { lines.append(" ⋮") }
        continue
      }
      switch step {
      case .same(let line): lines.append(" " + line)
      case .missing(let line): lines.append("-" + line)
      case .added(let line): lines.append("+" + line)
      }
    }
    return lines.joined(separator: "\n")
  }
}

/// An expected line, in which `[..]` stands for any text.
private struct LinePattern {
  /// The texts around each `[..]`.
  private let parts: [String]
  /// Whether it stands for any number of lines.
  let isAnyLines: Bool

  init(_ line: String) {
    isAnyLines = line == "..."
    parts = line.components(separatedBy: "[..]")
  }

  func matches(_ line: String) -> Bool {
    guard !isAnyLines else { return false }
    guard parts.count > 1 else { return parts[0] == line }
    guard line.hasPrefix(parts[0]) else { return false }
    var rest = line.dropFirst(parts[0].count)
    for part in parts.dropFirst().dropLast() where !part.isEmpty {
      guard let range = rest.firstRange(of: part) else { return false }
      rest = rest[range.upperBound...]
    }
    return rest.hasSuffix(parts[parts.count - 1])
  }
}
