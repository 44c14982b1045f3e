internal import AppCore
internal import AppCoreRuntime
internal import Navigation

/// Where an app is.
public struct AppPath: Sendable {
  /// How many names ``names`` holds at most: the first one and the last 31.
  public static let limit = 32

  /// The names of the nodes from the root to the current instance; of more than ``limit`` the
  /// first one and the last 31.
  public let names: [String]
  /// What people call them: the nodes' titles, or their names.
  public let titles: [String]
  /// How many there are in all.
  public let depth: Int

  /// Whether some are left out after the first.
  public var isShortened: Bool { depth > names.count }
}

extension App {
  /// The way from the root to the current instance.
  ///
  /// - Complexity: O(1), whatever the depth: at most ``AppPath/limit`` instances are visited.
  public var path: AppPath {
    let state = state
    let ids = Self.outwardPath(in: state, limit: AppPath.limit)
    let nodes = ids.compactMap { state.instances[$0].map { graph.nodes[$0.node] } }
    let depth = state.current.flatMap { state.instances[$0]?.depth } ?? 0
    return AppPath(
      names: nodes.map(\.name), titles: nodes.map { $0.title ?? $0.name }, depth: depth)
  }

  /// The position as a link: every node with its arguments, modals marked with `!`.
  ///
  /// Secret arguments are left out.
  ///
  /// The middle of a long path is left out unless `isFull`.
  ///
  /// - Complexity: O(depth) where `isFull`, else constant.
  public func position(isFull: Bool) -> String {
    let state = state
    let limit = isFull ? Int.max : AppPath.limit
    let ids = Self.outwardPath(in: state, limit: limit)
    var text = ""
    for (index, id) in ids.enumerated() {
      guard let instance = state.instances[id] else { continue }
      text += "/"
      if index > 0, isModal(instance, in: state) { text += "!" }
      text += graph.nodes[instance.node].name + arguments(of: instance)
      let depth = state.current.flatMap { state.instances[$0]?.depth } ?? 0
      if index == 0, depth > ids.count { text += "/…\(depth - ids.count) more…" }
    }
    return text
  }

  /// The instances from the root to the current one; of more than `limit` the first one and the
  /// last.
  private static func outwardPath(in state: AppState, limit: Int) -> [InstanceID] {
    var ids: [InstanceID] = []
    var next = state.current
    while let id = next, ids.count < limit {
      ids.append(id)
      next = state.outward(from: id)
    }
    if next != nil, let root = state.root { ids[ids.count - 1] = root }
    return ids.reversed()
  }

  /// Whether the current instance stands in a modal.
  var isInModal: Bool {
    let navigation = state.navigation
    return navigation.topLayer != navigation.rootLayer
  }

  private func isModal(_ instance: Instance, in state: AppState) -> Bool {
    guard instance.below == nil, let stack = instance.stack,
      case .layer(let layer) = state.navigation.stacks[stack]?.owner
    else { return false }
    return state.navigation.layers[layer]?.over != nil
  }

  private func arguments(of instance: Instance) -> String {
    guard case .object(let fields) = instance.arguments else { return "" }
    let shown = features[instance.node].map { $0.info.arguments.shownFields } ?? []
    return fields.sorted { $0.key < $1.key }.map { name, value in
      guard shown.contains(name), value != .null else { return "" }
      let text = if case .string(let string) = value { string } else { value.json }
      return ";\(name)=\(text.percentEncoded)"
    }.joined()
  }
}

extension AppState {
  /// The instance that everything else stands on.
  var root: InstanceID? {
    navigation.rootLayer.flatMap { navigation.layers[$0]?.stack }
      .flatMap { navigation.stacks[$0]?.root }
  }
}

extension Schema {
  /// The names of an object's fields that are no secrets.
  fileprivate var shownFields: Set<String> {
    guard case .object(let fields) = self else { return [] }
    return Set(
      fields.filter { $0.schema != .secret && $0.schema != .optional(.secret) }.map(\.name))
  }
}

extension String {
  /// The text with everything but letters, digits and `-._~` as `%XX`.
  fileprivate var percentEncoded: String {
    var result = ""
    for byte in utf8 {
      let scalar = Unicode.Scalar(byte)
      switch scalar {
      case "a"..."z", "A"..."Z", "0"..."9", "-", ".", "_", "~": result.unicodeScalars.append(scalar)
      default:
        let digits = String(byte, radix: 16, uppercase: true)
        result += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
      }
    }
    return result
  }
}
