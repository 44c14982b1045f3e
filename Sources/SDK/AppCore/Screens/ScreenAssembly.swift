/// A part of a screen as a feature describes it, before its controls have indexes.
indirect enum ScreenPart<Action: FeatureAction> {
  /// Something without controls.
  case element(ScreenElement)
  /// A control, a list or a table.
  case control(make: (_ index: Int) -> ScreenElement, respond: (ControlInput) -> Action?)
  case section(title: String, [ScreenPart])
  case task(id: AnyHashable, Action)
  case child(any EmbeddableScreen<Action>)
}

/// A child's screen on its parent's, with the child's action type erased.
protocol EmbeddableScreen<Parent> {
  associatedtype Parent: FeatureAction

  /// Adds the child's elements, and the actions that its controls send.
  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root)
}

struct EmbeddedScreen<Parent: FeatureAction, Child: FeatureAction>: EmbeddableScreen {
  let screen: Screen<Child>
  let embed: (Child) -> Parent

  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root) {
    let own = self.embed
    assembly.addChild(id: screen.id) { assembly in
      if screen.title.isEmpty {
        assembly.add(screen.parts) { embed(own($0)) }
      } else {
        assembly.addSection(screen.title, screen.parts) { embed(own($0)) }
      }
    }
  }
}

/// Numbers the controls of a screen and of its children, in one pass.
struct ScreenAssembly<Root> {
  private(set) var elements: [ScreenElement] = []
  private(set) var responses: [(ControlInput) -> Root?] = []
  private(set) var tasks: [ScreenTask<Root>] = []
  /// The prefix of the identifiers of the children that are being added.
  private var prefix = ""

  mutating func add<Action>(
    _ parts: [ScreenPart<Action>], as embed: @escaping (Action) -> Root
  ) {
    for part in parts {
      switch part {
      case .element(let element): elements.append(element)
      case .control(let make, let respond):
        let control = make(responses.count)
        elements.append(prefix.isEmpty ? control : control.prefixed(with: prefix))
        responses.append { respond($0).map(embed) }
      case .section(let title, let parts): addSection(title, parts, as: embed)
      case .task(let id, let action):
        var task = ScreenTask(id: id, action: embed(action))
        task.place.append(tasks.count { $0.place.dropLast() == task.place[...] })
        tasks.append(task)
      case .child(let child): child.add(to: &self, as: embed)
      }
    }
  }

  /// Adds a child's screen, whose controls' identifiers begin with `id`.
  mutating func addChild(id: String?, add: (inout Self) -> Void) {
    let outer = prefix
    if let id { prefix += "\(id)." }
    add(&self)
    prefix = outer
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

extension ScreenElement {
  /// A control, list or table with `prefix` added to its identifiers.
  fileprivate func prefixed(with prefix: String) -> Self {
    switch self {
    case .control(var control):
      control.id = control.id.map { prefix + $0 }
      return .control(control)
    case .list(let rows): return .list(rows.prefixed(with: prefix))
    case .table(let rows): return .table(rows.prefixed(with: prefix))
    default: return self
    }
  }
}

extension RowsContent {
  fileprivate func prefixed(with prefix: String) -> Self {
    var rows = self
    rows.id = id.map { prefix + $0 }
    rows.row = { position in
      var content = row(position)
      content.id = content.id.map { prefix + $0 }
      return content
    }
    return rows
  }
}

/// A screen as the host receives it: its content, and the actions of its controls.
struct AssembledScreen<Action> {
  let content: ScreenContent
  let tasks: [ScreenTask<Action>]
  private let responses: [(ControlInput) -> Action?]

  init(_ content: ScreenContent, _ assembly: ScreenAssembly<Action>) {
    self.content = content
    tasks = assembly.tasks
    responses = assembly.responses
  }

  /// The action that `input` to the control at `index` sends; `nil` if it sends none.
  func action(control index: Int, input: ControlInput) -> Action? {
    responses.indices.contains(index) ? responses[index](input) : nil
  }
}

extension Screen {
  /// The screen with its controls numbered.
  ///
  /// - Complexity: O(*n*), where *n* is the number of elements, including those of children.
  func assembled() -> AssembledScreen<Action> {
    var assembly = ScreenAssembly<Action>()
    assembly.add(parts) { $0 }
    var content = ScreenContent(title: title)
    content.elements = assembly.elements
    content.controlCount = assembly.responses.count
    content.hasBackAction = backAction != nil
    content.reportRepeatedNames()
    return AssembledScreen(content, assembly)
  }
}

extension ScreenContent {
  /// Reports identifiers that several controls have, and labels that do not tell apart controls
  /// without identifiers.
  ///
  /// Rows are not checked: they are created when they are shown, and come from data.
  fileprivate func reportRepeatedNames() {
    guard controlCount > 1 else { return }
    var identifiers = Set<String>()
    /// The labels in lower case, with whether the controls have identifiers.
    var labels: [String: Bool] = [:]
    var stack = [elements[...]]
    while var rest = stack.popLast() {
      guard let element = rest.popFirst() else { continue }
      stack.append(rest)
      switch element {
      case .section(_, let elements): stack.append(elements[...])
      case .control(let control):
        if let id = control.id, !identifiers.insert(id).inserted {
          report("identifier", id, "'@\(id)' is refused")
        }
        let label = control.label.lowercased()
        if let isIdentified = labels[label], !isIdentified || control.id == nil {
          report("label", control.label, "a line with it is refused, and one has no identifier")
        }
        labels[label] = labels[label] != false && control.id != nil
      default: break
      }
    }
  }

  private func report(_ kind: String, _ name: String, _ effect: String) {
    RuntimeIssue.report(
      """
      on the screen '\(title)' several controls have the \(kind) '\(name)', so \(effect); \
      give each its own 'id', and embedded screens of a kind theirs with 'titled(_:id:)'
      """)
  }
}
