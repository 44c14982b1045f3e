@_spi(Host) internal import AppCore
internal import Navigation

/// A task of a screen whose action was sent.
struct StartedTask {
  let id: AnyHashable
  let effects: ChildTask
}

extension App {
  /// Sends the actions of the current screen's tasks that were not sent yet.
  ///
  /// The effects of such an action may change the screen, and a new screen may have other tasks.
  ///
  /// - Returns: whether there were any.
  @discardableResult
  package func startTasks() -> Bool {
    releaseTasks()
    var hasStarted = false
    // Each round shows children that the round before has presented.
    for _ in 0..<1_000 {
      guard rewound == nil, recording == nil, !isEnding, let id = state.current,
        suspended[id] == nil, let tasks = screen?.tasks, !tasks.isEmpty
      else { break }
      guard let task = tasks.first(where: { !isStarted($0, of: id) }) else { break }
      let former = screenTasks[id]?.removeValue(forKey: task.place)
      former?.effects.cancel()
      former?.effects.release()
      guard let node = state.instances[id]?.node,
        let effects = store?.send(
          .instance(id, task.action), in: InstanceScope(id, node: node, app: calls.app))
      else { break }
      screenTasks[id, default: [:]][task.place] = StartedTask(id: task.id, effects: effects)
      hasStarted = true
    }
    return hasStarted
  }

  private func isStarted(_ task: ScreenTask<AnyAction>, of id: InstanceID) -> Bool {
    guard let known = screenTasks[id]?[task.place] else { return false }
    return known.id == task.id && !known.effects.isChildGone
  }

  /// Forgets the tasks of children that are gone.
  private func releaseTasks() {
    for (id, tasks) in screenTasks {
      for (place, task) in tasks where task.effects.isChildGone {
        task.effects.release()
        screenTasks[id]?[place] = nil
      }
      if screenTasks[id]?.isEmpty == true { screenTasks[id] = nil }
    }
  }
}
