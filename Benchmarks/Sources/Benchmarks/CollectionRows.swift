import AppCore
import OrderedCollections

/// Compares `IdentifiedArray` with an ordered dictionary, each operation on 1,000 elements.
///
/// The array of swift-identified-collections is built on an ordered dictionary.
struct CollectionRows {
  let measurement: Measurement
  private let count = 1_000

  private struct Element: Identifiable, Equatable {
    let id: Int
    var name = ""
    var number = 0
  }
  private typealias Ours = IdentifiedArray<Element>
  private typealias Theirs = OrderedDictionary<Int, Element>

  func rows() -> [Row] {
    // The order of the identifiers must not be that of a hash table.
    let elements = (0..<count).map { Element(id: $0 &* 7919 % 1_000_003, number: $0 &* 31 % 997) }
    let ids = elements.map(\.id)
    let (ours, theirs) = (Ours(elements), Theirs(uniqueKeysWithValues: zip(ids, elements)))
    let new = Element(id: -1)
    let middle = ids[count / 2]

    return row("make 1,000", count: 500) { _ in
      Ours(elements).count
    } than: { _ in
      Theirs(uniqueKeysWithValues: zip(ids, elements)).count
    }
      + changing("append and remove the last", ours, theirs) { rows, _ in
        rows.append(new)
        rows.removeLast()
      } than: { rows, _ in
        rows[new.id] = new
        rows.removeLast()
      }
      + changing("insert at the front and remove", ours, theirs, count: 5_000) { rows, _ in
        rows.insert(new, at: 0)
        rows.remove(id: new.id)
      } than: { rows, _ in
        rows.updateValue(new, forKey: new.id, insertingAt: 0)
        rows.removeValue(forKey: new.id)
      }
      + changing("remove from the middle and insert there", ours, theirs, count: 5_000) { rows, _ in
        guard let old = rows.remove(id: middle) else { return }
        rows.insert(old, at: count / 2)
      } than: { rows, _ in
        guard let old = rows.removeValue(forKey: middle) else { return }
        rows.updateValue(old, forKey: middle, insertingAt: count / 2)
      }
      + reading("look up by id", ours, theirs) { rows, round in
        rows[id: ids[round % count]]?.number ?? 0
      } than: { rows, round in
        rows[ids[round % count]]?.number ?? 0
      }
      + reading("position of an id", ours, theirs) { rows, round in
        rows.index(id: ids[round % count]) ?? 0
      } than: { rows, round in
        rows.index(forKey: ids[round % count]) ?? 0
      }
      + changing("change in place by id", ours, theirs) { rows, round in
        rows[id: ids[round % count]]?.number += 1
      } than: { rows, round in
        rows[ids[round % count]]?.number += 1
      }
      + changing("change in place by position", ours, theirs) { rows, round in
        rows[round % count].number += 1
      } than: { rows, round in
        rows.values[round % count].number += 1
      }
      + changing("update one that is there", ours, theirs) { rows, round in
        rows.updateOrAppend(Element(id: ids[round % count], number: round))
      } than: { rows, round in
        rows[ids[round % count]] = Element(id: ids[round % count], number: round)
      }
      + changing("swap two", ours, theirs) { rows, round in
        rows.swapAt(round % count, round * 7 % count)
      } than: { rows, round in
        rows.swapAt(round % count, round * 7 % count)
      }
      + changing("sort", ours, theirs, count: 500) { rows, round in
        rows.sort { round % 2 == 0 ? $0.number < $1.number : $0.number > $1.number }
      } than: { rows, round in
        rows.sort {
          round % 2 == 0 ? $0.value.number < $1.value.number : $0.value.number > $1.value.number
        }
      }
      + changing("reverse", ours, theirs, count: 5_000) { rows, _ in
        rows.reverse()
      } than: { rows, _ in
        rows.reverse()
      }
      + changing("move ten to the front", ours, theirs, count: 2_000) { rows, _ in
        rows.move(fromOffsets: 500..<510, toOffset: 0)
      } than: { rows, _ in
        // As in swift-identified-collections: the elements are removed and inserted again.
        let moved = (500..<510).map { rows.elements[$0] }
        for (key, _) in moved { rows.removeValue(forKey: key) }
        for (key, value) in moved.reversed() {
          rows.updateValue(value, forKey: key, insertingAt: 0)
        }
      }
      + reading("filter half", ours, theirs, count: 2_000) { rows, _ in
        rows.filter { $0.number % 2 == 0 }.count
      } than: { rows, _ in
        rows.filter { $0.value.number % 2 == 0 }.count
      }
      + reading("sum over all", ours, theirs, count: 10_000) { rows, _ in
        rows.reduce(0) { $0 &+ $1.number }
      } than: { rows, _ in
        rows.values.reduce(0) { $0 &+ $1.number }
      }
      + reading("compare with an equal one", ours, theirs, count: 10_000) { rows, _ in
        rows == Ours(rows) ? 1 : 0
      } than: { rows, _ in
        rows == Theirs(uniqueKeysWithValues: zip(rows.keys, rows.values)) ? 1 : 0
      }
  }

  /// One row: an operation that does not mutate the collection.
  private func reading(
    _ name: String, _ ours: Ours, _ theirs: Theirs, count: Int = 1_000_000,
    _ body: @escaping (Ours, Int) -> Int, than other: @escaping (Theirs, Int) -> Int
  ) -> [Row] {
    row(name, count: count) {
      body(ours, $0)
    } than: {
      other(theirs, $0)
    }
  }

  /// One row: an operation that mutates the collection.
  private func changing(
    _ name: String, _ ours: Ours, _ theirs: Theirs, count: Int = 1_000_000,
    _ body: @escaping (inout Ours, Int) -> Void, than other: @escaping (inout Theirs, Int) -> Void
  ) -> [Row] {
    var (ours, theirs) = (ours, theirs)
    return row(name, count: count) {
      body(&ours, $0)
      return ours.count
    } than: {
      other(&theirs, $0)
      return theirs.count
    }
  }

  private func row(
    _ name: String, count: Int, _ body: (Int) -> Int, than other: (Int) -> Int
  ) -> [Row] {
    let name = "collection: \(name)"
    guard measurement.includes(name) else { return [] }
    func time(_ body: (Int) -> Int) -> Double {
      measurement.nanoseconds(count: count) { count in
        var sum = 0
        for round in 0..<count { sum &+= body(round) }
        withExtendedLifetime(sum) {}
      }
    }
    return [
      Row(
        name: name, nanoseconds: time(body), baseline: "ordered dictionary",
        baselineNanoseconds: time(other))
    ]
  }
}
