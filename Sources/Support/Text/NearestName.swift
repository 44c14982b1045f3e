/// Finds the name that was probably meant.
public enum NearestName {
  /// A candidate, the number of edits between it and the name, 0 if only the case differs, and
  /// whether no other candidate is as close.
  typealias Match = (name: String, slips: Int, isOnly: Bool)

  /// The candidate closest to a name that is not among them; `nil` if none is close.
  ///
  /// Close means at most one edit in three characters, where swapping two neighbors is one edit,
  /// and a difference of case alone always counts as close. In a name of two letters one may be
  /// left out, doubled or swapped. Of equally close candidates the first one wins, so that messages
  /// are the same every time.
  ///
  /// - Complexity: O(*c* × *n*²), where *c* is the number of candidates and *n* the length of the
  ///   names; names of more than 64 letters are skipped.
  public static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    match(name, among: candidates)?.name
  }

  /// The same candidate, with its distance.
  static func match(_ name: String, among candidates: some Sequence<String>) -> Match? {
    let wanted = name.unicodeScalars.map(\.value)
    guard wanted.count <= 64 else { return nil }
    let folded = wanted.map(fold)
    var best: Match?
    for candidate in candidates where candidate != best?.name {
      let other = candidate.unicodeScalars.map(\.value)
      let length = max(wanted.count, other.count)
      let limit = min(best?.slips ?? .max, max(length / 3, length == 1 ? 0 : 1))
      let slips: Int
      if other.map(fold) == folded {
        slips = 0
      } else {
        guard limit > 0, other.count <= 64, abs(other.count - wanted.count) <= limit else {
          continue
        }
        slips = distance(wanted, other)
        guard slips <= limit, length > 2 || isSlip(wanted, other) else { continue }
      }
      if let known = best, known.slips <= slips {
        best = (known.name, known.slips, isOnly: known.slips < slips)
      } else {
        best = (candidate, slips, isOnly: true)
      }
    }
    return best
  }

  private static func fold(_ letter: UInt32) -> UInt32 {
    (0x41...0x5A).contains(letter) ? letter | 0x20 : letter
  }

  /// Whether no letter was replaced by another one.
  private static func isSlip(_ left: [UInt32], _ right: [UInt32]) -> Bool {
    left.count != right.count || left.sorted() == right.sorted()
  }

  /// The Damerau-Levenshtein distance, restricted to swaps of neighbors.
  private static func distance(_ left: [UInt32], _ right: [UInt32]) -> Int {
    var beforeLast: [Int] = []
    var last = Array(0...right.count)
    for i in left.indices {
      var current = [i + 1]
      current.reserveCapacity(right.count + 1)
      for j in right.indices {
        var cost = min(last[j + 1], current[j]) + 1
        cost = min(cost, last[j] + (left[i] == right[j] ? 0 : 1))
        if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
          cost = min(cost, beforeLast[j - 1] + 1)
        }
        current.append(cost)
      }
      beforeLast = last
      last = current
    }
    return last[right.count]
  }
}
