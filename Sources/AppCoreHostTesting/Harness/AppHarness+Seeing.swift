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
