/// Screens of children, which are part of their parent's.
extension ScreenBuilder {
  /// Adds a child's screen; its controls send the child's actions, embedded.
  ///
  /// - Parameters:
  ///   - child: the child's screen. Its title, if it has one, becomes that of a section;
  ///     ``Screen/titled(_:id:)`` distinguishes several screens of a kind.
  ///   - path: the case with the child's actions, as in `/Action.child`.
  public mutating func embed<Child>(_ child: Screen<Child>, _ path: CasePath<Action, Child>) {
    parts.append(.child(EmbeddedScreen(screen: child, embed: path.embed)))
  }

  /// Adds a child's screen if the child is presented; its controls send the child's actions.
  ///
  /// - Parameters:
  ///   - child: the child's state; nothing is added if it is `nil`.
  ///   - path: the case with the child's actions.
  ///   - screen: makes the child's screen.
  /// - Returns: whether the child is presented, so that the rest of the screen can be left out.
  @discardableResult
  public mutating func embed<ChildState, Child>(
    _ child: ChildState?, _ path: CasePath<Action, PresentationAction<Child>>,
    screen: (ChildState) -> Screen<Child>
  ) -> Bool {
    guard let child else { return false }
    let embed = path.embed
    self.embed(screen(child), CasePath(embed: { embed(.presented($0)) }, extract: { _ in nil }))
    return true
  }

  /// Adds the screen of a stack's top element; its controls send that element's actions.
  ///
  /// - Parameters:
  ///   - stack: the elements; nothing is added if the stack is empty.
  ///   - path: the case with the stack's actions.
  ///   - screen: makes the element's screen.
  /// - Returns: whether there is an element, so that the rest of the screen can be left out.
  @discardableResult
  public mutating func embed<Element, Child>(
    _ stack: StackState<Element>, _ path: CasePath<Action, StackAction<Element, Child>>,
    screen: (Element) -> Screen<Child>
  ) -> Bool {
    guard let id = stack.ids.last, let top = stack[id: id] else { return false }
    let embed = path.embed
    self.embed(
      screen(top),
      CasePath(embed: { embed(.element(id: id, action: $0)) }, extract: { _ in nil }))
    return true
  }

  /// Adds the screens of a collection's elements, one below the other; their controls send the
  /// elements' actions.
  ///
  /// Labels and `id`s are unique on a screen, so those of an element's controls must contain
  /// something that is unique to the element.
  ///
  /// - Parameters:
  ///   - elements: the elements, in the order in which they are shown.
  ///   - path: the case with the elements' actions.
  ///   - screen: makes an element's screen.
  public mutating func embed<Element: Identifiable, Child>(
    _ elements: IdentifiedArray<Element>,
    _ path: CasePath<Action, IdentifiedAction<Element.ID, Child>>,
    screen: (Element) -> Screen<Child>
  ) where Element.ID: Sendable {
    let embed = path.embed
    for element in elements {
      let id = element.id
      self.embed(
        screen(element),
        CasePath(embed: { embed(.element(id: id, action: $0)) }, extract: { _ in nil }))
    }
  }
}
