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
  /// Creates the list. Its stored properties are ``Case``s.
  init()
}

extension Destinations {
  /// Runs the reducer of the child that is shown.
  public var body: CombineReducers<DestinationState<Self>, DestinationAction<Self>> {
    let children = DestinationTable<Self>(self).children()
    let place = ScopePlace(named: ObjectIdentifier(Self.self))
    return CombineReducers(
      assembly: Assembly { state, action in
        let cursor = EffectCursor.current
        if let cursor {
          let shown = state.element
          if cursor.endEffects(at: place, unless: { $0 == shown }) { return .none }
        }
        guard cursor?.originHasEnded != true else { return .none }
        guard let child = children[action.key] else {
          RuntimeIssue.report(
            "an action came for a case that '\(_typeName(Self.self, qualified: false))' has not")
          return .none
        }
        return child.run(&state, action, place, cursor)
      })
  }
}

/// One of the children in ``Destinations``.
public struct Case<Child: Reducer & SendableMetatype>: Sendable
where Child.State: Codable & Sendable {
  private let make: @Sendable () -> Child
  let display: (any DestinationDisplay<Child.State, Child.Action>)?
  private let site: OperatorSite

  /// A child without a screen.
  ///
  /// - Parameters:
  ///   - child: the child's reducer, created for its first action.
  ///   - fileID: where the case was written.
  ///   - line: where the case was written.
  public init(
    _ child: @autoclosure @escaping @Sendable () -> Child,
    fileID: StaticString = #fileID, line: UInt = #line
  ) {
    self.init(display: nil, OperatorSite(name: "Case", fileID: fileID, line: line), child)
  }

  /// A child with a screen.
  ///
  /// - Parameters:
  ///   - child: the child's reducer, created for its first action and for each screen.
  ///   - screen: the method that makes its screen, as in `ItemForm.screen`.
  ///   - fileID: where the case was written.
  ///   - line: where the case was written.
  public init(
    _ child: @autoclosure @escaping @Sendable () -> Child,
    screen: @escaping @Sendable (Child) -> (Child.State) -> Screen<Child.Action>,
    fileID: StaticString = #fileID, line: UInt = #line
  ) where Child.Action: FeatureAction {
    self.init(
      display: ChildDisplay { screen(child())($0) },
      OperatorSite(name: "Case", fileID: fileID, line: line), child)
  }

  /// An alert; any of its buttons dismisses it.
  ///
  /// - Parameters:
  ///   - alert: its type, as in `AlertState<Alert>.self`.
  ///   - fileID: where the case was written.
  ///   - line: where the case was written.
  public init<Button: Sendable>(
    _ alert: AlertState<Button>.Type, fileID: StaticString = #fileID, line: UInt = #line
  ) where Child == EmptyReducer<AlertState<Button>, Button> {
    self.init(display: AlertDisplay(), OperatorSite(name: "Case", fileID: fileID, line: line)) {
      Child()
    }
  }

  /// A confirmation dialog; any of its buttons dismisses it.
  ///
  /// - Parameters:
  ///   - dialog: its type, as in `ConfirmationDialogState<Choice>.self`.
  ///   - fileID: where the case was written.
  ///   - line: where the case was written.
  public init<Button: Sendable>(
    _ dialog: ConfirmationDialogState<Button>.Type, fileID: StaticString = #fileID,
    line: UInt = #line
  ) where Child == EmptyReducer<ConfirmationDialogState<Button>, Button> {
    self.init(display: DialogDisplay(), OperatorSite(name: "Case", fileID: fileID, line: line)) {
      Child()
    }
  }

  private init(
    display: (any DestinationDisplay<Child.State, Child.Action>)?, _ site: OperatorSite,
    _ make: @escaping @Sendable () -> Child
  ) {
    self.make = make
    self.display = display
    self.site = site
  }
}

/// A type-erased ``Case``.
protocol DestinationCase: Sendable {
  /// A runner for the child's actions.
  func child<Choice>(at key: Int) -> DestinationChild<Choice>
  /// Decodes the child's state.
  func content(from decoder: any Decoder) throws -> any DestinationContent
  /// Adds the child's display to a screen.
  ///
  /// - Returns: whether the child has a screen.
  func show<Choice, Root>(
    _ state: DestinationState<Choice>, on screen: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<DestinationAction<Choice>>>
  ) -> Bool
}

/// Runs the reducer of one child.
struct DestinationChild<Choice: Destinations> {
  let run:
    (
      inout DestinationState<Choice>, DestinationAction<Choice>, ScopePlace, EffectCursor?
    ) -> Effect<DestinationAction<Choice>>
}

extension Case: DestinationCase {
  func child<Choice>(at key: Int) -> DestinationChild<Choice> {
    let make = make
    let site = site
    let child = ChildReducer<Child.State, Child.Action> {
      CombineReducers(assembly: make().assemble())
    }
    return DestinationChild { state, action, place, cursor in
      guard let childAction = action.content as? Child.Action, !child.isDelegate(childAction),
        site.hasStack
      else { return .none }
      guard state.key == key else {
        site.report(
          "an action came for a destination while another one is shown", action: action,
          causes: [
            "the parent showed another one before this action came",
            "an effect of the child still ran: start it in the child, so that it ends with it",
          ])
        return .none
      }
      let shown = cursor.map { _ in state.element }
      let effect = cursor.descend(to: place, shown ?? .only) {
        state.update(Child.State.self) { child.reduce(&$0, childAction) }
      }
      guard let effect, !effect.isNone else { return .none }
      return
        effect
        .embedded(dismissal: nil) { DestinationAction<Choice>(key: key, content: $0) }
        .scoped(ScopeID(place, shown ?? state.element))
    }
  }

  func content(from decoder: any Decoder) throws -> any DestinationContent {
    ChildContent(try Child.State(from: decoder))
  }

  func show<Choice, Root>(
    _ state: DestinationState<Choice>, on screen: inout ScreenBuilder<Root>,
    _ path: CasePath<Root, PresentationAction<DestinationAction<Choice>>>
  ) -> Bool {
    guard let display, let child = state.child(Child.State.self) else { return false }
    display.add(child, to: &screen, path.appending(key: state.key))
    return true
  }
}
