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
  private var box: Box

  @usableFromInline
  final class Box {
    // Unchecked: written through a unique reference, to which the writer has exclusive access.
    @exclusivity(unchecked) var value: Value
    init(_ value: Value) { self.value = value }
  }

  /// Puts a value into a box.
  public init(wrappedValue: Value) { box = Box(wrappedValue) }

  /// The value.
  ///
  /// - Complexity: O(1), except that writing copies the value if the box is shared.
  public var wrappedValue: Value {
    get { box.value }
    _modify {
      if !isKnownUniquelyReferenced(&box) { box = Box(box.value) }
      yield &box.value
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
