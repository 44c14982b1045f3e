internal import Support

// The keys of a mapping, which libyaml does not check.
extension TreeBuilder {
  /// Refuses the keys that are not valid; `isEntry` says whether the mapping is an entry of a block
  /// list, so that the `-` of another one may be missing.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys; small mappings are searched linearly.
  mutating func checkKeys(of mapping: Int, isEntry: Bool) {
    var known: [String: Int] = [:]
    let isLarge = entries[mapping].length > 12
    if isLarge { known.reserveCapacity(entries[mapping].length) }
    let end = entries[mapping].next
    var key = mapping + 1
    var endsHere = false
    while key < end {
      defer { key = entries[entries[key].next].next }
      let target = resolve(key)
      if endsHere || refuse(key, target) {
        entries[key].isRefusedKey = true
        continue
      }
      let first =
        isLarge ? known[text(target)] : earlier(equalTo: target, from: mapping + 1, before: key)
      guard let first else {
        if isLarge { known[text(target)] = key }
        continue
      }
      // What follows belongs to that entry.
      endsHere = isEntry && first == mapping + 1
      report(
        .duplicateKey, at: range(key),
        "the key \(quote(text(target))) is already there"
          + (endsHere
            ? "; a '-' is missing before it if another entry of the list begins here" : ""),
        related: .init(.firstDefinition, at: range(first)))
      entries[key].isRefusedKey = true
    }
  }

  /// Whether a key can't be one, which is reported.
  private mutating func refuse(_ key: Int, _ target: Int) -> Bool {
    let entry = entries[target]
    if entry.kind == .invalid { return true }
    if entry.kind != .scalar || entry.isPlain && entry.length == 0 {
      report(.keyNotText, at: range(key), "a key must be a word or quoted text")
      return true
    }
    guard entry.isPlain, text(target) == "<<" else { return false }
    report(
      .mergeKey, at: range(key),
      "merge keys ('<<') are not supported; write the keys out where they are needed")
    return true
  }

  private func earlier(equalTo target: Int, from first: Int, before key: Int) -> Int? {
    let entry = entries[target]
    var other = first
    while other < key {
      let candidate = entries[resolve(other)]
      if candidate.kind == .scalar, candidate.length == entry.length,
        (0..<entry.length).allSatisfy({
          bytes[candidate.offset + $0] == bytes[entry.offset + $0]
        })
      {
        return other
      }
      other = entries[entries[other].next].next
    }
    return nil
  }

  private func resolve(_ index: Int) -> Int {
    entries[index].kind == .alias ? entries[index].offset : index
  }

  private func text(_ index: Int) -> String {
    let entry = entries[index]
    return String(decoding: bytes[entry.offset..<entry.offset + entry.length], as: UTF8.self)
  }
}
