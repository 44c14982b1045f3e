internal import TestSupport
import Testing

@testable import Navigation

@Suite("SlotTable")
struct SlotTableTests {
  @Test("An entry is found by its identifier until it is removed")
  func findsEntries() {
    var table = SlotTable<String>()
    let ids = (0..<200).map { table.insert("entry \($0)") }
    #expect(table.count == 200)
    #expect(ids.enumerated().allSatisfy { table[$1] == "entry \($0)" })
    #expect(table.remove(ids[130]) == "entry 130")
    #expect(table[ids[130]] == nil)
    #expect(table[ids[131]] == "entry 131")
    #expect(table.count == 199)
  }

  @Test("A slot that is used again has another generation, so a stale identifier finds nothing")
  func generations() {
    var table = SlotTable<String>()
    let old = table.insert("old")
    table.remove(old)
    let new = table.insert("new")
    #expect(new.index == old.index)
    #expect(new != old)
    #expect(table[old] == nil)
    #expect(table.update(old) { $0 = "changed" } == nil)
    #expect(table.remove(old) == nil)
    #expect(table[new] == "new")
    #expect(table.count == 1)
  }

  @Test("Removing twice removes once")
  func removesOnce() {
    var table = SlotTable<Int>()
    let id = table.insert(1)
    #expect(table.remove(id) == 1)
    #expect(table.remove(id) == nil)
    #expect(table.count == 0)
    #expect(table.insert(2) != table.insert(3))
  }

  @Test("An identifier that was never given out finds nothing")
  func unknownIdentifiers() {
    var table = SlotTable<Int>()
    let id = table.insert(1)
    for unknown in [
      SlotID<Int>(index: .max, generation: .max), SlotID(index: 1, generation: 0),
      SlotID(index: 64, generation: 0), SlotID(index: id.index, generation: 1),
    ] {
      #expect(table[unknown] == nil)
      #expect(table.update(unknown) { $0 += 1 } == nil)
      #expect(table.remove(unknown) == nil)
    }
    #expect(table.count == 1)
  }

  @Test("A copy keeps what it had when it was made, whatever becomes of the other")
  func copies() {
    var table = SlotTable<[Int]>()
    let ids = (0..<300).map { table.insert([$0]) }
    let copy = table
    for id in ids.prefix(150) { table.remove(id) }
    for id in ids.suffix(50) { table.update(id) { $0.append(-1) } }
    let added = (0..<100).map { table.insert([1000 + $0]) }
    #expect(copy.count == 300)
    #expect(ids.enumerated().allSatisfy { copy[$1] == [$0] })
    #expect(added.allSatisfy { copy[$0] == nil })
    #expect(table.count == 250)
    #expect(table[ids[299]] == [299, -1])
  }

  @Test("Two copies give out identifiers of their own")
  func copiesDiverge() {
    var left = SlotTable<String>()
    left.remove(left.insert("gone"))
    var right = left
    let leftID = left.insert("left")
    let rightID = right.insert("right")
    #expect(leftID == rightID)
    #expect(left[leftID] == "left")
    #expect(right[rightID] == "right")
  }

  @Test("Prepared identifiers are given out in their order, and then the slots before them")
  func prepared() {
    var table = SlotTable<Int>()
    _ = table.insert(0)
    table.prepare([SlotID(index: 70, generation: 3), SlotID(index: 2, generation: 0)])
    let ids = (1...71).map { table.insert($0) }
    #expect(ids[0] == SlotID(index: 70, generation: 3))
    #expect(ids[1] == SlotID(index: 2, generation: 0))
    #expect(Set(ids[2..<70].map(\.index)) == Set([1] + Array(3..<70)))
    #expect(ids[70].index == 71)
  }

  @Test("A throwing update leaves the table usable")
  func throwingUpdate() {
    struct Stop: Error {}
    var table = SlotTable<Int>()
    let id = table.insert(1)
    #expect(throws: Stop.self) { try table.update(id) { _ in throw Stop() } }
    #expect(table[id] == 1)
    #expect(table.update(id) { $0 * 2 } == 2)
  }

  @Test("A table agrees with a dictionary through random work")
  func agreesWithDictionary() {
    var random = SplitMix64(seed: 7)
    var table = SlotTable<Int>()
    var model: [SlotID<Int>: Int] = [:]
    var gone: [SlotID<Int>] = []
    for step in 0..<20_000 {
      switch Int.random(in: 0..<3, using: &random) {
      case 0:
        let id = table.insert(step)
        #expect(model.updateValue(step, forKey: id) == nil)
      case 1:
        guard let id = model.keys.min(by: { $0.index < $1.index }) else { continue }
        #expect(table.remove(id) == model.removeValue(forKey: id))
        gone.append(id)
      default:
        guard let id = model.keys.max(by: { $0.index < $1.index }) else { continue }
        table.update(id) { $0 += 1 }
        model[id, default: 0] += 1
      }
      guard step % 1_000 == 0 else { continue }
      #expect(table.count == model.count)
      #expect(model.allSatisfy { table[$0] == $1 })
      #expect(gone.allSatisfy { table[$0] == nil })
    }
  }
}
