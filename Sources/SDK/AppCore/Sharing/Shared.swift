/// A value that several states share: all of them read and change the same one.
///
/// ```swift
/// struct Counter: Reducer {
///   struct State: Equatable {
///     @Shared(.inMemory("count")) var count = 0
///   }
///   enum Action: ComponentAction { case addTapped }
///
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     state.$count.withLock { $0 += 1 }
///     return .none
///   }
/// }
/// ```
///
/// Change it with ``withLock(_:)``, on any thread: in a reducer, in an effect, in a test. Every
/// store whose dependencies have the same storage is notified, so that each screen that shows the
/// value is updated. Two shared values are equal if their values are.
///
/// Pass a shared value, or a part of it, to a child's initializer:
///
/// ```swift
/// struct Settings: Codable, Equatable, Sendable { var name = "", size = 12 }
/// struct Child { @Shared var size: Int }
/// struct Parent {
///   @Shared(.setting("window")) var settings = Settings()
///
///   func child() -> Child { Child(size: $settings.size) }
/// }
/// ```
///
/// When a state is encoded, for another build of its plugin or for a session image, a value in
/// memory is encoded with its key, and a value in a file with its path: the file is read again.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  let source: any SharedSource<Value>

  init(_ source: any SharedSource<Value>) { self.source = source }

  // `image` identifies the plugin that uses the key; omit it.
  /// The value with a key; it starts as `wrappedValue` if there is none yet.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>,
    image: UnsafeRawPointer = #dsohandle
  ) {
    self.init(
      SharedStorage.current.reference(key, UInt(bitPattern: image), default: wrappedValue))
  }

  /// The value with a key that has an initial value.
  public init(_ key: SharedKey<Value>.Default, image: UnsafeRawPointer = #dsohandle) {
    self.init(wrappedValue: key.value(), key.key, image: image)
  }

  /// The value with a key, which starts as `wrappedValue` instead of the key's initial value.
  public init(
    wrappedValue: @autoclosure () -> Value, _ key: SharedKey<Value>.Default,
    image: UnsafeRawPointer = #dsohandle
  ) {
    self.init(wrappedValue: wrappedValue(), key.key, image: image)
  }

  /// A value without a key, shared by everything that it is passed to.
  public init(value: Value) { self.init(SharedStorage.current.unnamed(value)) }

  /// The same shared value.
  public init(projectedValue: Shared<Value>) { self = projectedValue }

  /// The same shared value.
  public init(_ shared: Shared<Value>) { self = shared }

  /// The wrapped value of an optional, shared as well; `nil` if the optional is `nil` now.
  ///
  /// Once the optional is `nil`, this one keeps the last value, and a change is reported and lost.
  public init?(_ optional: Shared<Value?>) {
    guard let value = optional.wrappedValue else { return nil }
    self.init(
      SharedPart(
        of: optional.source, last: value, get: { $0 },
        update: { whole, body in
          guard whole != nil else { return false }
          whole.withValue(body)
          return true
        }))
  }

  /// The current value; change it with ``withLock(_:)`` of the projected value.
  public var wrappedValue: Value {
    get { source.value }
    @available(*, unavailable, message: "use 'withLock', as in '$count.withLock { $0 += 1 }'")
    nonmutating set { withLock { $0 = newValue } }
  }

  /// The shared value itself, to change it or to pass it on.
  public var projectedValue: Shared<Value> {
    get { self }
    set { self = newValue }
  }

  /// Changes the value with exclusive access.
  ///
  /// Within `body`, use its argument. Who reads the shared value meanwhile, there or on another
  /// thread, gets the value before the change. Another `withLock` of the same value within `body`
  /// changes nothing and is reported.
  ///
  /// - Throws: what `body` throws; the changes that it made before that are kept.
  @discardableResult
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result,
    fileID: StaticString = #fileID, line: UInt = #line
  ) throws(Failure) -> Result {
    try source.withLock(fileID, line, body)
  }

  /// A property of the value, shared as well.
  public subscript<Member: Sendable>(
    dynamicMember keyPath: any WritableKeyPath<Value, Member> & Sendable
  ) -> Shared<Member> {
    Shared<Member>(
      SharedPart(
        of: source, last: source.value[keyPath: keyPath], get: { $0[keyPath: keyPath] },
        update: { whole, body in
          body(&whole[keyPath: keyPath])
          return true
        }))
  }

  /// An element of the collection, shared as well; `nil` if none has the identifier now.
  ///
  /// Once the element is removed, this one keeps its last value, and a change is reported and lost.
  public subscript<Element: Identifiable & Sendable>(
    id id: Element.ID
  ) -> Shared<Element>? where Value == IdentifiedArray<Element>, Element.ID: Sendable {
    guard let element = wrappedValue[id: id] else { return nil }
    return Shared<Element>(
      SharedPart(
        of: source, last: element, get: { $0[id: id] },
        update: { whole, body in
          guard whole[id: id] != nil else { return false }
          whole[id: id].withValue(body)
          return true
        }))
  }

  /// The current value and each later one, for one task.
  ///
  /// ```swift
  /// enum Action: ComponentAction { case countChanged(Int) }
  ///
  /// func follow(_ count: Shared<Int>) -> Effect<Action> {
  ///   .run { send in
  ///     for await count in count.values { await send(.countChanged(count)) }
  ///   }
  /// }
  /// ```
  public var values: SharedValues<Value> { SharedReader(self).values }

  /// Writes the value to its file now, and returns when it is on the disk.
  ///
  /// Changes are also written without it, a moment after they were made and when the app ends. A
  /// value that was not changed is written if its file lacks it. For a value in memory it does
  /// nothing.
  ///
  /// - Throws: ``SharedError`` if the value can't be written, or the file must not be overwritten.
  @concurrent
  public func save() async throws(SharedError) {
    try source.root.save()
  }

  /// Why the value is not read from its file or not written to it; `nil` as long as it is kept, and
  /// for a value in memory.
  ///
  /// While there is an error, the file is not overwritten, and changes are only in memory. A screen
  /// that shows it is updated when that changes.
  public var storageError: SharedError? { source.root.error }
}

extension Optional {
  /// Changes the wrapped value in place.
  fileprivate mutating func withValue(_ body: (inout Wrapped) -> Void) {
    guard var value = take() else { return }
    body(&value)
    self = value
  }
}

extension Shared: Equatable where Value: Equatable {
  public static func == (left: Self, right: Self) -> Bool {
    if case .comparing(let old, let new)? = SharedView.current {
      return left.source.value(in: old) == right.source.value(in: new)
    }
    return left.source === right.source || left.wrappedValue == right.wrappedValue
  }
}

extension Shared: Identifiable where Value: Identifiable {
  public var id: Value.ID { wrappedValue.id }
}

extension Shared: CustomReflectable {
  /// Shows the value, in the form of an optional.
  public var customMirror: Mirror {
    Mirror(self, children: ["some": wrappedValue], displayStyle: .optional)
  }
}
