/// Finds the name that somebody may have meant.
package enum Nearest {
  /// The name of `names` that is most like `word`; `nil` if none is alike.
  ///
  /// - Complexity: linear in the number of names; names longer than 64 characters are left out.
  package static func of(_ word: String, in names: some Sequence<String>) -> String? {
    let wanted = Array(word.lowercased())
    guard !wanted.isEmpty, wanted.count <= 64 else { return nil }
    var best: (name: String, distance: Int)?
    for name in names {
      let candidate = Array(name.lowercased().prefix(65))
      let shorter = min(wanted.count, candidate.count)
      guard shorter > 1, candidate.count <= 64 else { continue }
      let limit = max(1, shorter / 3)
      // A beginning is a better guess than as many wrong letters.
      let isBeginning = candidate.starts(with: wanted)
      guard isBeginning || abs(wanted.count - candidate.count) <= limit else { continue }
      let distance = isBeginning ? 1 : self.distance(wanted, candidate)
      guard distance <= limit, distance < best?.distance ?? .max else { continue }
      best = (name, distance)
    }
    return best?.name
  }

  /// How many letters must change, go, come or trade places with a neighbour.
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
