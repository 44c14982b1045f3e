/// A value that several states share: one place, which each of them reads and changes.
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
/// It is changed by ``withLock(_:)``, on any thread: in a reducer, in an effect, in a test. Every
/// store whose dependencies have the same storage is told, so each screen that shows the value shows
/// the new one. A state that holds it is equal to another one if the values are.
///
/// A child gets its parent's, or a part of it, as it is initialized:
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
/// Where a state is encoded, for another build of its plugin or the image of a session, a value in
/// memory is encoded with its key, and one in a file by its path: it is read again.
@propertyWrapper
@dynamicMemberLookup
public struct Shared<Value: Sendable>: Sendable {
  let source: any SharedSource<Value>

  init(_ source: any SharedSource<Value>) { self.source = source }

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
    self.init(SharedStorage.current.reference(key, image, default: wrappedValue))
  }

  /// A value without a key, shared by everything it is handed to.
  public init(value: Value) { self.init(SharedStorage.current.unnamed(value)) }

  /// The same shared value.
  public init(projectedValue: Shared<Value>) { self = projectedValue }

  /// The same shared value.
  public init(_ shared: Shared<Value>) { self = shared }

  /// What an optional holds; `nil` if it is `nil` now.
  ///
  /// Once it is `nil`, this one keeps the last value, and a change is reported and lost.
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

  /// The value now; ``withLock(_:)`` of the projected value changes it.
  public var wrappedValue: Value {
    get { source.value }
    @available(*, unavailable, message: "use 'withLock', as in '$count.withLock { $0 += 1 }'")
    nonmutating set { withLock { $0 = newValue } }
  }

  /// The shared value itself, to change it or to hand it on.
  public var projectedValue: Shared<Value> {
    get { self }
    set { self = newValue }
  }

  /// Changes the value, while nobody else reads or changes it.
  ///
  /// Within `body` the value is its argument: using the shared value itself there ends the process.
  ///
  /// - Returns: what `body` returns.
  /// - Throws: what `body` throws; what it has changed before stays changed.
  @discardableResult
  public func withLock<Result, Failure: Error>(
    _ body: (inout Value) throws(Failure) -> Result
  ) throws(Failure) -> Result { try source.withLock(body) }

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

  /// An element of the collection; `nil` if there is none with the identifier now.
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

  /// The value now, and each one that it has from then on, for one task.
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
  /// A change is written a moment after it was made anyway, and when the app ends. A value in memory
  /// is saved at once.
  ///
  /// - Throws: ``SharedError`` if the value can't be written, or the file must not be overwritten.
  @concurrent
  public func save() async throws(SharedError) { try source.root.document?.save() }
}

extension Optional {
  /// Changes what is held, in place.
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
  /// Shown as the value, as an optional is.
  public var customMirror: Mirror {
    Mirror(self, children: ["some": wrappedValue], displayStyle: .optional)
  }
}
