/// A part of a screen as a feature describes it, before its controls have indexes.
indirect enum ScreenPart<Action> {
  /// Something without controls.
  case element(ScreenElement)
  /// A control, a list or a table.
  case control(make: (_ index: Int) -> ScreenElement, respond: (ControlInput) -> Action?)
  case section(title: String, [ScreenPart])
  case columns([[ScreenPart]])
  case task(id: AnyHashable, Action)
  case child(any EmbeddableParts<Action>)

  static func control(
    _ kind: ControlContent.Kind, _ label: String, _ id: String?, _ isEnabled: Bool = true,
    _ problem: String? = nil, respond: @escaping (ControlInput) -> Action?
  ) -> ScreenPart {
    .control(
      make: {
        .control(
          ControlContent(
            index: $0, kind: kind, label: label, id: id, isEnabled: isEnabled, problem: problem))
      },
      respond: { isEnabled ? respond($0) : nil })
  }

  /// The parts of a child.
  ///
  /// - Parameters:
  ///   - title: that of a section around them; empty for none.
  ///   - id: the prefix of the identifiers of their controls; `nil` for none.
  ///   - parts: the child's parts.
  ///   - embed: turns the child's actions into its parent's.
  /// - Returns: the part of the parent's screen.
  static func child<Child>(
    title: String = "", id: String? = nil, _ parts: [ScreenPart<Child>],
    as embed: @escaping (Child) -> Action
  ) -> ScreenPart {
    .child(EmbeddedParts(title: title, id: id, parts: parts, embed: embed))
  }
}

/// Parts of a child's screen on its parent's, with the child's action type erased.
protocol EmbeddableParts<Parent> {
  associatedtype Parent

  /// Adds the child's elements, and the actions that its controls send.
  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root)
}

private struct EmbeddedParts<Parent, Child>: EmbeddableParts {
  let title: String
  let id: String?
  let parts: [ScreenPart<Child>]
  let embed: (Child) -> Parent

  func add<Root>(to assembly: inout ScreenAssembly<Root>, as embed: @escaping (Parent) -> Root) {
    let own = self.embed
    assembly.addChild(id: id) { assembly in
      if title.isEmpty {
        assembly.add(parts) { embed(own($0)) }
      } else {
        assembly.addSection(title, parts) { embed(own($0)) }
      }
    }
  }
}

/// Numbers the controls of a screen and of its children, in one pass.
struct ScreenAssembly<Root> {
  private(set) var elements: [ScreenElement] = []
  private(set) var responses: [(ControlInput) -> Root?] = []
  private(set) var tasks: [ScreenTask<Root>] = []
  /// The number of tasks at each place.
  private var taskCounts: [[AnyHashable]: Int] = [:]
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
      case .columns(let columns):
        let columns = columns.map { parts in collect { $0.add(parts, as: embed) } }
        elements.append(.columns(columns))
      case .task(let id, let action):
        var task = ScreenTask(id: id, action: embed(action))
        let number = taskCounts[task.place, default: 0]
        taskCounts[task.place] = number + 1
        task.place.append(number)
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
    let elements = collect { $0.add(parts, as: embed) }
    self.elements.append(.section(title: title, elements: elements))
  }

  /// The elements that are added, which are not yet among those of the screen.
  private mutating func collect(_ add: (inout Self) -> Void) -> [ScreenElement] {
    var outer: [ScreenElement] = []
    swap(&outer, &elements)
    add(&self)
    swap(&outer, &elements)
    return outer
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
@_spi(Host)
public struct AssembledScreen<Action> {
  /// The content of the screen.
  public let content: ScreenContent
  /// The action that is sent instead of going back; `nil` if `back` just goes back.
  public let back: Action?
  /// The actions that are sent when the screen is first shown.
  public let tasks: [ScreenTask<Action>]
  fileprivate let respond: (_ control: Int, _ input: ControlInput) -> Action?

  /// The action that `input` to a control sends; `nil` if the control does not accept it.
  public func action(control: Int, input: ControlInput) -> Action? { respond(control, input) }

  func map<Other>(_ transform: @escaping (Action) -> Other) -> AssembledScreen<Other> {
    AssembledScreen<Other>(
      content: content, back: back.map(transform), tasks: tasks.map { $0.map(transform) },
      respond: { [respond] in respond($0, $1).map(transform) })
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
    let responses = assembly.responses
    return AssembledScreen(
      content: content, back: backAction, tasks: assembly.tasks,
      respond: { responses.indices.contains($0) ? responses[$0]($1) : nil })
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
      case .columns(let columns): stack += columns.reversed().map { $0[...] }
      case .control(let control):
        if let id = control.id, !identifiers.insert(id).inserted {
          report("identifier", id, "'@\(id)' is refused")
        }
        let label = control.label.lowercased()
        if let isIdentified = labels[label], !isIdentified || control.id == nil {
          report("label", control.label, "a line with it is refused, and one has no identifier")
        }
        labels[label] = labels[label] != false && control.id != nil
      case .list(let rows) where rows.selectedCount != nil,
        .table(let rows) where rows.selectedCount != nil:
        if let id = rows.id, !identifiers.insert(id).inserted {
          report("identifier", id, "'@\(id)' names one of them only")
        }
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
