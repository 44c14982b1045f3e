/// A value behind one reference on the heap, shared by copies until one of them is written.
///
/// However large it is, the state around it holds one word, and copying that state copies no more.
/// For a child that may be absent ``Presented`` does the same.
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
    // By its address: a stored property would move the value through the stack before releasing it.
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
  /// - Complexity: reading is constant, and so is writing while the box is not shared.
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
  /// Shown as the value, as an optional is.
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
