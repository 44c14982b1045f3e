/// A value behind one reference on the heap, shared by copies until one of them is written.
///
/// However large the value is, the enclosing state holds one word, and copying that state copies
/// only the word. ``Presented`` does the same for a child that may be absent.
///
/// ```swift
/// struct Grid: Equatable { var cells = Array(repeating: 0, count: 64) }
/// struct State: Equatable { @Boxed var grid = Grid() }
///
/// func mark(_ state: inout State, _ cell: Int) { state.grid.cells[cell] = 1 }
/// ```
@frozen
@propertyWrapper
public struct Boxed<Value> {
  @usableFromInline var box: Box

  @usableFromInline
  final class Box {
    // A pointer: a stored property's value would be moved to the stack before it is released.
    let storage: UnsafeMutablePointer<Value>

    init(_ value: consuming Value) {
      storage = .allocate(capacity: 1)
      storage.initialize(to: value)
    }

    init(copying other: Box) {
      storage = .allocate(capacity: 1)
      storage.initialize(from: other.storage, count: 1)
    }

    deinit { CallStack.release(storage) }
  }

  /// Puts a value into a box.
  public init(wrappedValue: consuming Value) { box = Box(wrappedValue) }

  /// The value.
  ///
  /// - Complexity: O(1), except that writing copies the value if the box is shared.
  public var wrappedValue: Value {
    _read { yield box.storage.pointee }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(copying: box) }
      yield &box.storage.pointee
    }
  }
}

extension Boxed: @unchecked Sendable where Value: Sendable {}

extension Boxed: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.box === right.box || left.wrappedValue == right.wrappedValue
  }
}

extension Boxed: Hashable where Value: Hashable {
  public func hash(into hasher: inout Hasher) { hasher.combine(wrappedValue) }
}

extension Boxed: CustomReflectable {
  /// Shows the value, in the form of an optional.
  public var customMirror: Mirror {
    Mirror(self, children: ["some": wrappedValue], displayStyle: .optional)
  }
}

extension Boxed: Decodable where Value: Decodable {
  public init(from decoder: any Decoder) throws {
    self.init(wrappedValue: try Value(from: decoder))
  }
}

extension Boxed: Encodable where Value: Encodable {
  public func encode(to encoder: any Encoder) throws { try wrappedValue.encode(to: encoder) }
}
