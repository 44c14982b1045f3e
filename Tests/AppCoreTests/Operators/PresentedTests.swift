import Foundation
import Testing

@testable import AppCore

@Suite("Presented")
struct PresentedTests {
  struct Parent: Codable, Equatable, Sendable { @Presented var child: Child? }
  struct Child: Codable, Equatable, Sendable { var count = 0 }
  private let identifier = ChildKind<Child>()

  @Test("A copy is its own: writing one leaves the other as it was")
  func copy() {
    var parent = Parent(child: Child())
    let copy = parent
    parent.child?.count = 5
    #expect(copy.child?.count == 0)
    #expect(parent.child?.count == 5)
    parent.child = nil
    #expect(copy.child != nil)
    #expect(parent.$child.isEmpty)
  }

  @Test(
    "The identity stays across copies and changes of the child, and is another for another child")
  func identity() {
    var parent = Parent(child: Child())
    let before = identifier.id(of: parent.$child)
    let copy = parent
    parent.child?.count = 5
    #expect(identifier.id(of: parent.$child) == before)
    #expect(identifier.id(of: copy.$child) == before)
    parent.child = Child(count: 7)
    #expect(identifier.id(of: parent.$child) != before)
    #expect(identifier.id(of: copy.$child) == before)
    parent.child = nil
    #expect(identifier.id(of: parent.$child) == nil)
    var seen = [before]
    for _ in 0..<100 {
      parent.child = Child()
      seen.append(identifier.id(of: parent.$child))
      parent.child = nil
    }
    #expect(Set(seen.compactMap(\.self)).count == 101)
  }

  @Test("A change from outside to nil, and from nil, is taken")
  func through() {
    func set(_ child: inout Child?, _ value: Child?) { child = value }
    var parent = Parent()
    set(&parent.child, nil)
    #expect(parent.$child.isEmpty)
    #expect(identifier.id(of: parent.$child) == nil)
    set(&parent.child, Child(count: 3))
    #expect(parent.child?.count == 3)
    set(&parent.child, nil)
    #expect(parent.$child.isEmpty)
  }

  @Test("It is encoded as the optional it stands for, and a field may be missing")
  func coding() throws {
    let parent = Parent(child: Child(count: 3))
    let data = try JSONEncoder().encode(parent)
    #expect(String(decoding: data, as: UTF8.self) == #"{"child":{"count":3}}"#)
    #expect(try JSONDecoder().decode(Parent.self, from: data) == parent)
    for text in ["{}", #"{"child":null}"#] {
      #expect(try JSONDecoder().decode(Parent.self, from: Data(text.utf8)).child == nil)
    }
  }
}
