import Foundation
import Testing

@testable import AppCore

@Suite("StackState")
struct StackStateTests {
  @Test("An id is never given twice, however often elements are pushed and popped")
  func ids() {
    var stack: StackState<Int> = [1, 2]
    let first = stack.ids
    stack.removeLast()
    let third = stack.append(3)
    #expect(third != first[1])
    stack.removeAll()
    #expect(stack.isEmpty)
    let id = stack.nextID
    let fourth = stack.append(4)
    #expect(fourth == id)
    #expect(!first.contains(id))
    #expect(stack[id: id] == 4)
    #expect(stack[id: first[0]] == nil)
  }

  @Test("Popping takes an element and all above it, or only what is above it")
  func pop() {
    var stack: StackState<Int> = [1, 2, 3, 4]
    let ids = stack.ids
    stack.pop(to: ids[2])
    #expect(Array(stack) == [1, 2, 3])
    stack.pop(from: ids[1])
    #expect(Array(stack) == [1])
    stack.pop(from: ids[3])
    stack.pop(to: ids[3])
    #expect(stack.ids == [ids[0]])
    stack.removeAll()
    let none = stack.removeLast()
    #expect(none == nil)
  }

  @Test("An id from outside is taken whatever its number is")
  func decodedID() throws {
    for number in [Int.max, Int.min, 7] {
      let id = try JSONDecoder().decode(
        StackElementID.self, from: Data(#"{"generation":\#(number)}"#.utf8))
      var stack: StackState<Int> = [1]
      stack.insert(2, id: id)
      #expect(stack[id: id] == 2)
      let next = stack.append(3)
      #expect(next != id)
      #expect(Array(stack) == [1, 2, 3])
    }
  }

  @Test("What has gone is told by id; of another stack's elements, all are others")
  func gone() {
    var stack: StackState<Int> = [1, 2, 3]
    let ids = stack.ids
    let before = stack.identity
    stack.update(ids[0]) { $0 = 5 }
    stack.append(4)
    #expect(before.removed(in: stack) == [])
    stack.pop(from: ids[1])
    stack.append(6)
    #expect(before.removed(in: stack) == [ids[1], ids[2]])
    #expect(before.removed(in: [1, 2, 3]) == ids)
  }

  @Test("An older copy that is put back has lost what came since, and one changed apart the rest")
  func copies() {
    var stack: StackState<Int> = [1, 2, 3]
    let old = stack
    stack.append(4)
    let top = stack.append(5)
    let ids = stack.ids
    let before = stack.identity
    #expect(before.removed(in: old) == Array(ids[3...]))
    #expect(old.identity.removed(in: stack) == [])
    // The same numbers, and yet other elements: they came after the copies parted.
    var other = old
    other.removeLast()
    other.insert(6, id: top)
    #expect(before.removed(in: other) == Array(ids[2...]))
    #expect(other.identity.removed(in: stack) == [top])
    // An element that went and came again is another one.
    stack.removeLast()
    stack.insert(7, id: top)
    #expect(before.removed(in: stack) == [top])
  }

  @Test("A stack as high as memory allows is let go of without recursion")
  func height() async {
    let counts = await onSmallStack {
      var stack = StackState(0..<100_000)
      let half = stack.ids[50_000]
      let before = stack.identity
      stack.pop(from: half)
      let gone = before.removed(in: stack)
      return [stack.count, gone.count, gone.first == half ? 1 : 0]
    }
    #expect(counts == [50_000, 50_000, 1])
  }

  @Test("It is encoded as its elements, from the bottom up, and equal where they are")
  func coding() throws {
    let stack: StackState<Int> = [1, 2]
    let data = try JSONEncoder().encode(stack)
    #expect(String(decoding: data, as: UTF8.self) == "[1,2]")
    #expect(try JSONDecoder().decode(StackState<Int>.self, from: data) == stack)
  }
}
