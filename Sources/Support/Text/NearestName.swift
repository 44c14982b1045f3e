/// The name that was probably meant.
public enum NearestName {
  /// The candidate closest to a name that is not among them; nil when none is close.
  ///
  /// Close means: at most one edit in three characters, where swapping two neighbours is one edit
  /// and a difference of case alone always counts as close. Of equally close candidates the one
  /// that comes first wins, so that messages are the same every time.
  ///
  /// - Complexity: O(candidates × length²), with names beyond 64 bytes left out.
  public static func of(_ name: String, among candidates: some Sequence<String>) -> String? {
    let wanted = Array(name.utf8)
    guard wanted.count <= 64 else { return nil }
    let folded = wanted.map(fold)
    var best: (distance: Int, name: String)?
    for candidate in candidates {
      let other = Array(candidate.utf8)
      let limit = min(best.map { $0.distance - 1 } ?? .max, max(wanted.count, other.count) / 3)
      if other.map(fold) == folded {
        if best.map({ $0.distance > 0 }) ?? true { best = (0, candidate) }
        continue
      }
      guard limit > 0, other.count <= 64, abs(other.count - wanted.count) <= limit else { continue }
      let distance = distance(wanted, other)
      if distance <= limit { best = (distance, candidate) }
    }
    return best?.name
  }

  private static func fold(_ byte: UInt8) -> UInt8 {
    (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
  }

  /// The Damerau-Levenshtein distance, restricted to swaps of neighbours.
  private static func distance(_ left: [UInt8], _ right: [UInt8]) -> Int {
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
