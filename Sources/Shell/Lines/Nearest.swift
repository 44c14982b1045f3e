/// Finds the name that was probably meant.
package enum Nearest {
  /// The name of `names` that is most similar to `word`; `nil` if none is similar.
  ///
  /// - Complexity: O(*n*), where *n* is the number of names; names longer than 64 characters are
  ///   ignored.
  package static func of(_ word: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().prefix(65))
      let shorter = min(wanted.count, candidate.count)
      guard shorter > 1, candidate.count <= 64 else { continue }
      let limit = max(1, shorter / 3)
      // A name with the prefix `word` counts as a single difference, whatever its length.
      let isBeginning = candidate.starts(with: wanted)
      guard isBeginning || abs(wanted.count - candidate.count) <= limit else { continue }
      let distance = isBeginning ? 1 : self.distance(wanted, candidate)
      guard distance <= limit, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// The edit distance: the number of substitutions, deletions, insertions and transpositions of
  /// adjacent characters.
  private static func distance(_ a: [Character], _ b: [Character]) -> Int {
    var before = [Int](repeating: 0, count: b.count + 1)
    var previous = Array(0...b.count)
    for i in a.indices {
      var current = [i + 1]
      for j in b.indices {
        var cost = min(previous[j + 1], current[j]) + 1
        cost = min(cost, previous[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] {
          cost = min(cost, before[j - 1] + 1)
        }
        current.append(cost)
      }
      before = previous
      previous = current
    }
    return previous[b.count]
  }
}
