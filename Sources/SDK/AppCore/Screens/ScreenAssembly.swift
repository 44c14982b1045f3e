/// A part of a screen as a feature says it: its controls have no indexes yet.
indirect enum ScreenPart<Action: FeatureAction> {
  /// Something without controls.
  case element(ScreenElement)
  /// A control, a list or a table.
  case control(make: (_ index: Int) -> ScreenElement, respond: (ControlInput) -> Action?)
  case section(title: String, [ScreenPart])
  case child(any EmbeddableScreen<Action>)
}

/// A child's screen on its parent's, the child's action type hidden.
protocol EmbeddableScreen<Parent> {
  associatedtype Parent: FeatureAction

  /// Adds the child's elements, and what its controls send.
  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root)
}

struct EmbeddedScreen<Parent: FeatureAction, Child: FeatureAction>: EmbeddableScreen {
  let screen: Screen<Child>
  let embed: (Child) -> Parent

  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root) {
    let own = self.embed
    if screen.title.isEmpty {
      assembly.add(screen.parts) { embed(own($0)) }
    } else {
      assembly.addSection(screen.title, screen.parts) { embed(own($0)) }
    }
  }
}

/// Numbers the controls of a screen and of its children, in one walk.
struct ScreenAssembly<Root> {
  private(set) var elements: [ScreenElement] = []
  private(set) var responses: [(ControlInput) -> Root?] = []

  mutating func add<Action>(
    _ parts: [ScreenPart<Action>], as embed: @escaping (Action) -> Root
  ) {
    for part in parts {
      switch part {
      case .element(let element): elements.append(element)
      case .control(let make, let respond):
        elements.append(make(responses.count))
        responses.append { respond($0).map(embed) }
      case .section(let title, let parts): addSection(title, parts, as: embed)
      case .child(let child): child.add(to: &self, as: embed)
      }
    }
  }

  mutating func addSection<Action>(
    _ title: String, _ parts: [ScreenPart<Action>], as embed: @escaping (Action) -> Root
  ) {
    var outer: [ScreenElement] = []
    swap(&outer, &elements)
    add(parts, as: embed)
    outer.append(.section(title: title, elements: elements))
    elements = outer
  }
}

/// A screen as the host gets it: what is shown, and what each control sends.
struct AssembledScreen<Action> {
  let content: ScreenContent
  private let responses: [(ControlInput) -> Action?]

  init(_ content: ScreenContent, _ responses: [(ControlInput) -> Action?]) {
    self.content = content
    self.responses = responses
  }

  /// The action that `input` to the control at `index` sends; `nil` if it can't.
  func action(control index: Int, input: ControlInput) -> Action? {
    responses.indices.contains(index) ? responses[index](input) : nil
  }
}

extension Screen {
  /// The screen with its controls numbered.
  ///
  /// - Complexity: O(n) in the elements, those of children included.
  func assembled() -> AssembledScreen<Action> {
    var assembly = ScreenAssembly<Action>()
    assembly.add(parts) { $0 }
    var content = ScreenContent(title: title)
    content.elements = assembly.elements
    content.controlCount = assembly.responses.count
    content.hasBackAction = backAction != nil
    return AssembledScreen(content, assembly.responses)
  }
}
