/// A shared value that is only read; see ``Shared``.
///
/// ```swift
/// struct Child { @SharedReader var count: Int }
/// struct Parent {
///   @Shared(.inMemory("count")) var count = 0
///
///   func child() -> Child { Child(count: SharedReader($count)) }
/// }
/// ```
@propertyWrapper
@dynamicMemberLookup
public struct SharedReader<Value: Sendable>: Sendable {
  /// The value, which is exposed for reading only.
  let shared: Shared<Value>

  /// The value with a key; it starts as `wrappedValue` if there is none yet.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>,
    image: UnsafeRawPointer = #dsohandle
  ) {
    self.init(Shared(wrappedValue: wrappedValue(), key, image: image))
  }

  /// The value with a key that has an initial value.
  public init(_ key: SharedKey<Value>.Default, image: UnsafeRawPointer = #dsohandle) {
    self.init(Shared(key, image: image))
  }

  /// A value that never changes.
  public init(value: Value) { self.init(Shared(value: value)) }

  /// The same shared value.
  public init(projectedValue: SharedReader<Value>) { self = projectedValue }

  /// The same shared value, read-only.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// The current value.
  public var wrappedValue: Value { shared.wrappedValue }

  /// The shared value itself, to pass it on.
  public var projectedValue: SharedReader<Value> {
    get { self }
    set { self = newValue }
  }

  /// A property of the value, shared as well.
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any KeyPath<Value, Member> & Sendable
  ) -> SharedReader<Member> {
    SharedReader<Member>(
      Shared(
        SharedPart(
          of: shared.source, last: wrappedValue[keyPath: keyPath], get: { $0[keyPath: keyPath] },
          update: nil)))
  }

  /// Why the value is not read from its file; see ``Shared/storageError``.
  public var storageError: SharedError? { shared.storageError }

  /// The current value and each later one, for one task.
  public var values: SharedValues<Value> {
    SharedValues(changes: shared.source.root.changes(), source: shared.source)
  }
}

extension Shared {
  /// A read-only view of the value.
  public var reader: SharedReader<Value> { SharedReader(self) }
}

/// A sequence of a shared value's current value and its values after changes; if several changes
/// are waiting for the consumer, it yields only the latest.
public struct SharedValues<Value: Sendable>: AsyncSequence, Sendable {
  let changes: EventStream<Void>
  let source: any SharedSource<Value>

  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes.makeAsyncIterator(), source: source)
  }

  /// Iterates over the values, on one task.
  public struct Iterator: AsyncIteratorProtocol {
    var changes: EventStream<Void>.Iterator
    let source: any SharedSource<Value>

    public mutating func next() async -> Value? { await next(isolation: nil) }

    public mutating func next(isolation actor: isolated (any Actor)?) async -> Value? {
      await changes.next(isolation: actor).map { source.value }
    }
  }
}

extension SharedReader: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    left.shared == right.shared
  }
}

extension SharedReader: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension SharedReader: CustomReflectable {
  /// Shows the value, in the form of an optional.
  public var customMirror: Mirror {
    Mirror(self, children: ["some": wrappedValue], displayStyle: .optional)
  }
}
