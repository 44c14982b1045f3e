/// Compares two texts line by line.
@_spi(Host)
public enum LineDiff {
  /// The number of unchanged lines around a change.
  private static let context = 2

  /// The most comparisons of lines, about, which take a second.
  private static let limit = 100_000_000

  /// The removed (`- …`) and added lines (`+ …`), with unchanged lines around them; empty if the
  /// texts are equal.
  ///
  /// If comparing would take longer than about a second, then between what both texts begin and end
  /// with, all of the old lines are removed, and all of the new ones added after them.
  ///
  /// - Complexity: O(*n* · *d*), where *n* is the number of lines and *d* that of the differences.
  public static func changes(from old: [String], to new: [String]) -> [String] {
    let begin = zip(old, new).prefix { $0 == $1 }.count
    let end = zip(old.dropFirst(begin).reversed(), new.dropFirst(begin).reversed())
      .prefix { $0 == $1 }.count
    let (oldLines, newLines) = (old[begin..<(old.count - end)], new[begin..<(new.count - end)])
    guard !oldLines.isEmpty || !newLines.isEmpty else { return [] }
    var removed: Set<Int> = []
    var inserted: Set<Int> = []
    if canCompare(oldLines, newLines) {
      for change in newLines.difference(from: oldLines) {
        switch change {
        case .remove(let offset, _, _): removed.insert(begin + offset)
        case .insert(let offset, _, _): inserted.insert(begin + offset)
        }
      }
    } else {
      removed.formUnion(oldLines.indices)
      inserted.formUnion(newLines.indices)
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

  /// Whether comparing takes no longer than allowed, judged by the lines that only one side has.
  private static func canCompare(_ old: ArraySlice<String>, _ new: ArraySlice<String>) -> Bool {
    let count = old.count + new.count
    // Few lines take no longer even if all of them differ.
    guard count * count > limit else { return true }
    let (inOld, inNew) = (Set(old), Set(new))
    let differences = old.count { !inNew.contains($0) } + new.count { !inOld.contains($0) }
    return count * differences <= limit
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
