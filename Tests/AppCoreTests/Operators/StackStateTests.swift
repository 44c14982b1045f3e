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

  @Test("The last removal is another one once elements have gone or moved up, and not before")
  func removal() {
    var stack: StackState<Int> = [1, 2, 3]
    let ids = stack.ids
    let before = stack.removal
    stack.update(ids[0]) { $0 = 5 }
    stack.append(4)
    #expect(stack.removal == before)
    var other = stack
    other.insert(5, at: 1)
    #expect(other.removal != before)
    stack.pop(from: ids[1])
    #expect(stack.removal != before)
    #expect(StackState([1, 2, 3]).removal != before)
  }

  @Test("An element that went and came again is another one, and so is one of another stack")
  func elements() {
    var stack: StackState<Int> = [1, 2]
    let top = stack.ids[1]
    let before = stack.push(of: top)
    stack.append(3)
    #expect(stack.push(of: top) == before)
    stack.pop(from: top)
    stack.insert(7, id: top)
    #expect(stack.push(of: top) != before)
    #expect(StackState([1, 2]).push(of: top) != before)
  }

  @Test("It is encoded as its elements, from the bottom up, and equal where they are")
  func coding() throws {
    let stack: StackState<Int> = [1, 2]
    let data = try JSONEncoder().encode(stack)
    #expect(String(decoding: data, as: UTF8.self) == "[1,2]")
    #expect(try JSONDecoder().decode(StackState<Int>.self, from: data) == stack)
  }
}

extension StackState {
  fileprivate func push(of id: StackElementID) -> Int? { positions[id].map { pushes[$0] } }
}
