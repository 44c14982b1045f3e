internal import Synchronization

/// A list of children of which one is shown at a time, declared with one line each.
///
/// A sheet, or the elements of a stack, may be any of several children. The struct lists their
/// reducers; their state and action types are derived from it, and it runs them.
///
/// ```swift
/// struct ItemForm: Reducer {
///   struct State: Codable, Equatable, Sendable { var name = "" }
///   enum Action: FeatureAction {
///     enum View: Codable, Sendable { case saveTapped }
///     enum Delegate: Codable, Sendable { case saved(String) }
///     case view(View)
///     case delegate(Delegate)
///   }
///   func reduce(into state: inout State, action: Action) -> Effect<Action> {
///     .send(.delegate(.saved(state.name)))
///   }
///   func screen(_ state: State) -> Screen<Action> {
///     Screen("Item") { $0.button("Save", action: .saveTapped) }
///   }
/// }
///
/// struct Inventory: Reducer {
///   struct Destination: Destinations {
///     let add = Case(ItemForm(), screen: ItemForm.screen)
///     let edit = Case(ItemForm(), screen: ItemForm.screen)
///   }
///   struct State {
///     @Presented var destination: Destination.State?
///     var items: [String] = []
///   }
///   enum Action: FeatureAction {
///     enum View: Codable, Sendable { case addTapped }
///     case view(View)
///     case destination(PresentationAction<Destination.Action>)
///   }
///
///   var body: some ReducerOf<Self> {
///     Reduce { state, action in
///       switch action {
///       case .view(.addTapped):
///         state.destination = Destination.State.add(ItemForm.State(name: "Milk"))
///       case .destination(.presented(let action)):
///         guard case .delegate(.saved(let name)) = action.add else { break }
///         state.items.append(name)
///         state.destination = nil
///       case .destination(.dismiss): break
///       }
///       return .none
///     }
///     .ifLet(\.$destination, action: /Action.destination) { Destination() }
///   }
///
///   func screen(_ state: State) -> Screen<Action> {
///     Screen("Inventory") { screen in
///       if screen.embed(state.destination, /Action.destination) { return }
///       screen.button("Add", action: .addTapped)
///     }
///   }
/// }
/// ```
///
/// The effects of a child end when another one is shown. If a stack's element becomes another
/// child, they end with the element's next action at the latest. An enum for the states and one for
/// the actions, with a ``Scope`` for each case, do the same; write those if you want the compiler
/// to check that a `switch` is exhaustive.
public protocol Destinations: Reducer, Sendable
where
  State == DestinationState<Self>, Action == DestinationAction<Self>,
  Body == CombineReducers<DestinationState<Self>, DestinationAction<Self>>
{
  /// Creates the list. Its stored properties are ``DestinationCase``s.
  init()
}

extension Destinations {
  /// One of the children; see ``DestinationCase``.
  public typealias Case = DestinationCase

  /// Runs the reducer of the child that is shown.
  ///
  /// Like an operator for one child, but the action says which child it is for.
  public var body: CombineReducers<DestinationState<Self>, DestinationAction<Self>> {
    let place = ScopePlace(named: ObjectIdentifier(Self.self))
    let shown = ChildPlace<State>(place) { .one($0.element) }
    let runners: [Int: DestinationRun<Self>] = Dictionary(
      uniqueKeysWithValues: DestinationTable(self).entries.map {
        ($0.key, $0.content.runner(at: place, key: $0.key))
      })
    return CombineReducers(
      assembly: Assembly { (state: inout State, action: Action) -> Effect<Action> in
        if let cursor = ReducerThread.current.cursor {
          if cursor.endEffects(in: state, shown, shown.present(state)) { return .none }
          guard !cursor.originHasEnded else { return .none }
        }
        guard let run = runners[action.key] else {
          RuntimeIssue.report(
            "an action came for a case that '\(_typeName(Self.self, qualified: false))' has not")
          return .none
        }
        return run(&state, action)
      })
  }
}

/// Runs the reducer of one child.
typealias DestinationRun<Choice: Destinations> =
  (inout DestinationState<Choice>, DestinationAction<Choice>) -> Effect<DestinationAction<Choice>>

/// One of the children in ``Destinations``, which name it `Case`.
public struct DestinationCase<Child: Reducer & SendableMetatype>: Sendable
where Child.State: Codable & Sendable {
  private let make: @Sendable () -> Child
  private let display: Display?
  private let site: OperatorSite

  /// Makes the child's screen.
  private typealias Display =
    @Sendable (Child.State) -> [ScreenPart<PresentationAction<Child.Action>>]

  /// A child without a screen, which is created for its first action.
  public init(
    _ child: @autoclosure @escaping @Sendable () -> Child,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(display: nil, fileID, line, child)
  }

  /// A child with a screen, made by a method such as `ItemForm.screen`.
  ///
  /// The child is created for its first action and for each screen.
  public init(
    _ child: @autoclosure @escaping @Sendable () -> Child,
    screen: @escaping @Sendable (Child) -> (Child.State) -> Screen<Child.Action>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Child.Action: FeatureAction {
    let display: Display = { state in
      let screen = screen(child())(state)
      return [.child(title: screen.title, id: screen.id, screen.parts) { .presented($0) }]
    }
    self.init(display: display, fileID, line, child)
  }

  /// An alert, as in `Case(AlertState<Alert>.self)`; any of its buttons dismisses it.
  public init<Button: Sendable>(
    _ alert: AlertState<Button>.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) where Child == EmptyReducer<AlertState<Button>, Button> {
    self.init(display: { $0.parts() }, fileID, line) { Child() }
  }

  /// A confirmation dialog; any of its buttons dismisses it.
  public init<Button: Sendable>(
    _ dialog: ConfirmationDialogState<Button>.Type, fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Child == EmptyReducer<ConfirmationDialogState<Button>, Button> {
    self.init(display: { $0.parts() }, fileID, line) { Child() }
  }

  private init(
    display: Display?, _ fileID: StaticString, _ line: UInt,
    _ make: @escaping @Sendable () -> Child
  ) {
    self.make = make
    self.display = display
    site = OperatorSite(name: "Case", fileID: fileID, line: line)
  }
}

/// A type-erased ``DestinationCase``.
protocol AnyDestinationCase: Sendable {
  func runner<Choice>(at place: ScopePlace, key: Int) -> DestinationRun<Choice>
  func state(from decoder: any Decoder) throws -> any Codable & Sendable
  /// The child's screen; `nil` if it has none.
  func parts<Choice>(
    of state: DestinationState<Choice>
  ) -> [ScreenPart<PresentationAction<DestinationAction<Choice>>>]?
}

extension DestinationCase: AnyDestinationCase {
  func runner<Choice>(at place: ScopePlace, key: Int) -> DestinationRun<Choice> {
    let (make, site) = (make, site)
    let child = ChildReducer<Child.State, Child.Action>(at: place, site) {
      CombineReducers(assembly: make().assemble())
    }
    return { state, action in
      guard let childAction = action.content as? Child.Action, !child.isDelegate(childAction)
      else { return .none }
      guard state.key == key else {
        site.report(
          "an action came for a destination while another one is shown", action: action,
          causes: [
            "the parent showed another one before this action came", OperatorSite.childStillRan,
          ])
        return .none
      }
      let element = state.element
      let effect = state.update(Child.State.self) {
        child.reduce(&$0, childAction, in: element)
      }
      return effect?.embedded(in: ScopeID(place, element)) {
        DestinationAction<Choice>(key: key, content: $0)
      } ?? .none
    }
  }

  func state(from decoder: any Decoder) throws -> any Codable & Sendable {
    try Child.State(from: decoder)
  }

  func parts<Choice>(
    of state: DestinationState<Choice>
  ) -> [ScreenPart<PresentationAction<DestinationAction<Choice>>>]? {
    guard let display, let child = state.content as? Child.State else { return nil }
    return [
      .child(display(child)) { action in
        action.map { DestinationAction(key: state.key, content: $0) }
      }
    ]
  }
}

/// The cases of a ``Destinations``: the names and offsets of its stored properties.
///
/// A case is identified by its key, the offset of its stored property in bytes, which can also be
/// read from a key path.
struct DestinationTable<Choice: Destinations>: Sendable {
  let entries: [(name: String, key: Int, content: any AnyDestinationCase)]

  /// The table of lists of this type, created once.
  static var shared: DestinationTable {
    let type = ObjectIdentifier(Choice.self)
    if let known = knownTables.withLock({ $0[type] }) as? DestinationTable { return known }
    let table = DestinationTable(Choice())
    knownTables.withLock { $0[type] = table }
    return table
  }

  init(_ choice: Choice) {
    let keys = StructMetadata.offsets(in: Choice.self)
    entries = zip(Mirror(reflecting: choice).children, keys).compactMap { child, key in
      guard let name = child.label, let content = child.value as? any AnyDestinationCase else {
        return nil
      }
      return (name, key, content)
    }
  }

  /// The key of the case at `path`.
  ///
  /// If `path` is not that of a stored property, this is reported, and the key is one that no case
  /// has.
  static func key<Child>(_ path: KeyPath<Choice, DestinationCase<Child>>) -> Int {
    if let key = MemoryLayout<Choice>.offset(of: path) { return key }
    RuntimeIssue.report(
      """
      '\(_typeName(Choice.self, qualified: false))' has a case that is not one of its stored \
      properties, so that it is never shown
        - write it as 'let name = Case(…)', in a struct
      """)
    return -1
  }

  func name(_ key: Int) -> String? { entries.first { $0.key == key }?.name }

  subscript(key: Int) -> (any AnyDestinationCase)? { entries.first { $0.key == key }?.content }
}

/// The tables, by the types of their lists.
private let knownTables = Mutex<[ObjectIdentifier: any Sendable]>([:])
