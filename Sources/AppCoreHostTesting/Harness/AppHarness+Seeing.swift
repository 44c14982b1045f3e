public import AppCore
internal import AppCoreHost
@_spi(Host) internal import AppCoreTesting
internal import Navigation
internal import Support

// What a test can observe.
extension AppHarness {
  /// The position as a link: every node with its arguments, modals marked with `!`.
  ///
  /// - Complexity: O(depth).
  public var path: String { get async { await app.position(isFull: true) } }

  /// The names of the nodes from the root to the current one; if there are more than 32, the first
  /// and the last 31.
  public var nodes: [String] { get async { await app.path.names } }

  /// How many instances are on the path from the root to the current one, both included.
  public var depth: Int { get async { await app.path.depth } }

  /// How many instances there are, including hidden ones and those without a screen.
  public var instanceCount: Int { get async { await app.instanceCount } }

  /// The current instance's state in structural form; `null` if it is not available.
  public var state: Value {
    get async {
      guard let node = await app.currentNode else { return .null }
      return (try? await app.featureState(of: node)) ?? .null
    }
  }

  /// The state of the nearest instance of a node, in structural form.
  ///
  /// "Nearest" is as for ``emit(_:_:_:fileID:filePath:line:column:)``.
  ///
  /// - Returns: the state; `null` for a container.
  /// - Throws: ``AppHarnessError/instance(_:)`` if no instance of the node is presented, or its
  ///   state can't be encoded.
  public func state(
    of node: String,
    fileID: StaticString = #fileID, filePath: StaticString = #filePath, line: UInt = #line,
    column: UInt = #column
  ) async throws(AppHarnessError) -> Value {
    do throws(InstanceError) {
      return try await app.featureState(of: node) ?? .null
    } catch {
      throw AppHarnessError.instance(error)
        .reported(at: TestSite(fileID, filePath, line, column))
    }
  }

  /// The delegate actions that reached the graph, the latest last.
  ///
  /// The app keeps its last 256 events of all kinds.
  public var delegates: [EmittedDelegate] {
    get async {
      await app.navigationEvents().compactMap { event in
        guard case .emitted = event.outcome, case .instance(_, let node, let action) = event.origin
        else { return nil }
        return EmittedDelegate(node: node, action: action, payload: event.payload)
      }
    }
  }

  /// The routes that were refused, the latest last.
  ///
  /// The app keeps its last 256 events of all kinds.
  public var refusedRoutes: [RefusedRoute] {
    get async {
      await app.navigationEvents().compactMap { event in
        guard case .refused(let node, let action, let refusal) = event.outcome, !action.isEmpty
        else { return nil }
        return RefusedRoute(
          node: node, action: action, code: refusal.code, reason: refusal.message)
      }
    }
  }

  /// The notifications that had no receiver, the latest last.
  ///
  /// The app keeps its last 256 events of all kinds.
  public var lostNotifications: [LostNotification] {
    get async {
      await app.navigationEvents().compactMap { event in
        guard case .noReceiver(let input) = event.outcome,
          case .instance(_, let node, let action) = event.origin
        else { return nil }
        return LostNotification(node: node, action: action, input: input)
      }
    }
  }
}

/// A delegate action that reached the graph.
public struct EmittedDelegate: Hashable, Sendable {
  public let node: String
  public let action: String
  /// The value of `$`.
  public let payload: Value

  public init(node: String, action: String, payload: Value = [:]) {
    self.node = node
    self.action = action
    self.payload = payload
  }
}

/// A route that was refused and changed nothing.
public struct RefusedRoute: Hashable, Sendable {
  public let node: String
  public let action: String
  /// The refusal's code, as in `not-current`.
  public let code: String
  /// Why, in words.
  public let reason: String

  public init(node: String, action: String, code: String, reason: String) {
    self.node = node
    self.action = action
    self.code = code
    self.reason = reason
  }
}

/// A notification that was dropped because it had no receiver.
public struct LostNotification: Hashable, Sendable {
  public let node: String
  public let action: String
  public let input: String

  public init(node: String, action: String, input: String) {
    self.node = node
    self.action = action
    self.input = input
  }
}

/// A screen of the app, as text for people and as JSON for programs.
public struct ShownScreen: Sendable, CustomStringConvertible {
  /// The lines that a person sees, without newlines.
  public let lines: [String]
  /// The object that `--json` prints for programs.
  public let json: Value

  init(_ reading: ScreenReading) {
    lines = reading.lines
    json = reading.value
  }

  /// The lines that a person sees, joined with newlines.
  public var text: String { lines.joined(separator: "\n") }

  public var description: String { text }

  public var title: String { json["title"]?.text ?? "" }

  public var isModal: Bool { json["modal"] == true }

  /// The notices about the test's last action, such as why a route was refused.
  public var notices: [String] {
    (json["notices"]?.elements ?? []).compactMap { $0["text"]?.text }
  }

  public var tabs: [String] { (json["tabs"]?.elements ?? []).compactMap { $0["name"]?.text } }

  /// The name of the selected tab; `nil` if there are no tabs.
  public var selectedTab: String? {
    (json["tabs"]?.elements ?? []).first { $0["selected"] == true }?["name"]?.text
  }

  /// The controls in the order of their numbers, including the rows of the shown pages.
  public var controls: [ShownControl] {
    var found: [ShownControl] = []
    var pending = Array((json["elements"]?.elements ?? []).reversed())
    while let element = pending.popLast() {
      if let control = ShownControl(element) { found.append(control) }
      pending += (element["elements"]?.elements ?? []).reversed()
      pending += (element["rows"]?.elements ?? []).reversed()
    }
    return found
  }

  /// The control with a stable identifier.
  ///
  /// - Parameter id: the identifier, without `@`.
  /// - Returns: the control; `nil` if the screen does not show it.
  public func control(_ id: String) -> ShownControl? { controls.first { $0.id == id } }
}

/// A control on a screen: a button, a field, a toggle, a choice or a row.
public struct ShownControl: Hashable, Sendable {
  /// `button`, `field`, `toggle`, `choice` or `row`.
  public let kind: String
  /// The number that selects the control at the beginning of a line.
  public let number: Int
  /// The stable identifier, without `@`; `nil` if there is none.
  public let id: String?
  public let label: String
  /// The value; `null` if there is none, or it is secret.
  public let value: Value
  public let isEnabled: Bool

  init?(_ element: Value) {
    guard case .int(let number)? = element["number"], let kind = element["kind"]?.text else {
      return nil
    }
    self.kind = kind
    self.number = number
    id = element["id"]?.text
    label = element["label"]?.text ?? ""
    value = element["value"] ?? .null
    isEnabled = element["enabled"] == true
  }
}
