internal import Support

/// Checks the keys of one mapping, which libyaml does not.
struct KeyCheck {
  let entries: [Tree.Entry]
  let bytes: [UInt8]
  let file: Int
  /// Whether the mapping is an entry of a block list, so that the `-` of another one may be missing.
  let isEntry: Bool

  /// The keys that are not valid, each with its problem; `nil` for one that is already reported.
  ///
  /// - Complexity: O(*n*), where *n* is the number of keys; small mappings are searched linearly.
  func problems(of mapping: Int, count: Int) -> [(key: Int, problem: Diagnostic?)] {
    var found: [(key: Int, problem: Diagnostic?)] = []
    var known: [String: Int] = [:]
    let isLarge = count > 12
    if isLarge { known.reserveCapacity(count) }
    let end = entries[mapping].next
    var key = mapping + 1
    while key < end {
      let target = resolve(key)
      if let refusal = refusal(of: target, at: key) {
        found.append((key, refusal.problem))
      } else if let first = isLarge
        ? known[text(target)] : earlier(equalTo: target, from: mapping + 1, before: key)
      {
        let isNextEntry = isEntry && first == mapping + 1
        found.append(
          (
            key,
            Diagnostic(
              isNextEntry ? .missingDash(before: text(target)) : .duplicateKey(text(target)),
              at: range(key), related: .init(.firstDefinition, at: range(first)))
          ))
        if isNextEntry {
          // What follows belongs to that entry.
          while case let next = entries[entries[key].next].next, next < end {
            key = next
            found.append((key, nil))
          }
        }
      } else if isLarge {
        known[text(target)] = key
      }
      key = entries[entries[key].next].next
    }
    return found
  }

  private struct Refusal {
    let problem: Diagnostic?
  }

  private func refusal(of target: Int, at key: Int) -> Refusal? {
    let entry = entries[target]
    switch entry.kind {
    case .invalid: return Refusal(problem: nil)
    case .sequence, .mapping, .alias:
      return Refusal(problem: Diagnostic(.keyNotText, at: range(key)))
    case .scalar:
      guard entry.isPlain else { return nil }
      if entry.length == 0 { return Refusal(problem: Diagnostic(.keyNotText, at: range(key))) }
      let start = entry.offset
      guard entry.length == 2, bytes[start] == 0x3C, bytes[start + 1] == 0x3C else { return nil }
      return Refusal(problem: Diagnostic(.mergeKey, at: range(key)))
    }
  }

  private func earlier(equalTo target: Int, from first: Int, before key: Int) -> Int? {
    let entry = entries[target]
    var other = first
    while other < key {
      let candidate = entries[resolve(other)]
      if candidate.kind == .scalar, candidate.length == entry.length, equal(candidate, entry) {
        return other
      }
      other = entries[entries[other].next].next
    }
    return nil
  }

  private func equal(_ left: Tree.Entry, _ right: Tree.Entry) -> Bool {
    for distance in 0..<left.length
    where bytes[left.offset + distance] != bytes[right.offset + distance] {
      return false
    }
    return true
  }

  private func resolve(_ index: Int) -> Int {
    entries[index].kind == .alias ? entries[index].offset : index
  }

  private func text(_ index: Int) -> String {
    let entry = entries[index]
    let start = entry.offset
    return String(decoding: bytes[start..<start + entry.length], as: UTF8.self)
  }

  private func range(_ index: Int) -> SourceRange {
    SourceRange(file: file, start: entries[index].start, end: entries[index].end)
  }
}
