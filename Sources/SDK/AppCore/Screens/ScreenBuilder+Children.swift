/// Screens of children, which are part of their parent's.
extension ScreenBuilder {
  /// Adds a child's screen, whose title, if it has one, becomes that of a section, and whose controls
  /// send the child's actions; see also ``Screen/titled(_:id:)``.
  public mutating func embed<Child>(_ child: Screen<Child>, _ path: CasePath<Action, Child>) {
    embed(child) { path.embed($0) }
  }

  private mutating func embed<Child>(
    _ child: Screen<Child>, as embed: @escaping (Child) -> Action
  ) {
    parts.append(.child(title: child.title, id: child.id, child.parts, as: embed))
  }

  /// Adds a child's screen if the child is presented, and returns whether it is, so that the rest of
  /// the screen can be left out.
  @discardableResult
  public mutating func embed<ChildState, Child>(
    _ child: ChildState?, _ path: CasePath<Action, PresentationAction<Child>>,
    screen: (ChildState) -> Screen<Child>
  ) -> Bool {
    guard let child else { return false }
    embed(screen(child)) { path.embed(.presented($0)) }
    return true
  }

  /// Adds the screen of a stack's top element, and returns whether there is one, so that the rest of
  /// the screen can be left out.
  @discardableResult
  public mutating func embed<Element, Child>(
    _ stack: StackState<Element>, _ path: CasePath<Action, StackAction<Element, Child>>,
    screen: (Element) -> Screen<Child>
  ) -> Bool {
    guard let id = stack.ids.last, let top = stack[id: id] else { return false }
    embed(screen(top)) { path.embed(.element(id: id, action: $0)) }
    return true
  }

  /// Adds the screens of a collection's elements, one below the other, whose labels and `id`s must
  /// contain something that is unique to the element.
  public mutating func embed<Element: Identifiable, Child>(
    _ elements: IdentifiedArray<Element>,
    _ path: CasePath<Action, IdentifiedAction<Element.ID, Child>>,
    screen: (Element) -> Screen<Child>
  ) where Element.ID: Sendable {
    for element in elements {
      embed(screen(element)) { [id = element.id] in path.embed(.element(id: id, action: $0)) }
    }
  }
}
