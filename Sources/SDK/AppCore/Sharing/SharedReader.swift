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
  /// The value, which this hands on without the means to change it.
  let shared: Shared<Value>

  /// The value with a key, which begins with `wrappedValue` where there is none yet.
  ///
  /// - Parameters:
  ///   - wrappedValue: the value to begin with.
  ///   - key: where the value is kept.
  ///   - image: the plugin that uses the key; leave it out.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>,
    image: UnsafeRawPointer = #dsohandle
  ) {
    self.init(Shared(wrappedValue: wrappedValue(), key, image: image))
  }

  /// A value that never changes.
  public init(value: Value) { self.init(Shared(value: value)) }

  /// The same shared value.
  public init(projectedValue: SharedReader<Value>) { self = projectedValue }

  /// The same shared value, only read.
  public init(_ shared: Shared<Value>) { self.shared = shared }

  /// The value now.
  public var wrappedValue: Value { shared.wrappedValue }

  /// The shared value itself, to hand it on.
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

  /// The value now, and each one that it has from then on, for one task.
  public var values: SharedValues<Value> {
    SharedValues(changes: shared.source.root.changes(), source: shared.source)
  }
}

extension Shared {
  /// The value for somebody who may only read it.
  public var reader: SharedReader<Value> { SharedReader(self) }
}

/// What a shared value is now, and what it is after changes: of several that nobody has taken yet, the
/// latest.
public struct SharedValues<Value: Sendable>: AsyncSequence, Sendable {
  let changes: EventStream<Void>
  let source: any SharedSource<Value>

  public func makeAsyncIterator() -> Iterator {
    Iterator(changes: changes.makeAsyncIterator(), source: source)
  }

  /// Takes the values, on one task.
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
  /// Shown as the value, as an optional is.
  public var customMirror: Mirror {
    Mirror(self, children: ["some": wrappedValue], displayStyle: .optional)
  }
}
