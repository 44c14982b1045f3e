/// Compares two texts line by line.
@_spi(Host)
public enum LineDiff {
  /// The number of unchanged lines around a change.
  private static let context = 2

  /// The removed (`- …`) and added lines (`+ …`), with unchanged lines around them; empty if the
  /// texts are equal.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the number of lines and *d* that of the differences.
  public static func changes(from old: [String], to new: [String]) -> [String] {
    let difference = new.difference(from: old)
    guard !difference.isEmpty else { return [] }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    for change in difference {
      switch change {
      case .remove(let offset, _, _): removed.insert(offset)
      case .insert(let offset, _, _): inserted.insert(offset)
      }
    }
    var result: [(text: String, isChange: Bool)] = []
    var position = (old: 0, new: 0)
    while position.old < old.count || position.new < new.count {
      if removed.contains(position.old), position.old < old.count {
        result.append(("- " + old[position.old], true))
        position.old += 1
      } else if inserted.contains(position.new), position.new < new.count {
        result.append(("+ " + new[position.new], true))
        position.new += 1
      } else if position.new < new.count {
        result.append(("  " + new[position.new], false))
        position.old += 1
        position.new += 1
      } else {
        position.old += 1
      }
    }
    return shortened(result)
  }

  private static func shortened(_ lines: [(text: String, isChange: Bool)]) -> [String] {
    let changed = lines.indices.filter { lines[$0].isChange }
    var keep: Set<Int> = []
    for index in changed {
      keep.formUnion(max(0, index - context)...min(lines.count - 1, index + context))
    }
    var result: [String] = []
    var isSkipping = false
    for index in lines.indices {
      if keep.contains(index) {
        result.append(lines[index].text)
        isSkipping = false
      } else if !isSkipping {
        result.append("  …")
        isSkipping = true
      }
    }
    return result
  }
}
