/// Where an operator was written, for reports of misuse.
struct OperatorSite: Sendable {
  let name: String
  let fileID: StaticString
  let line: UInt

  /// Whether a child can't be reduced because little stack is left; that is reported.
  ///
  /// The action is not dumped: that takes stack too.
  func isTooDeep(_ action: @autoclosure () -> Any) -> Bool {
    guard DeepStack.isLow else { return false }
    Issue.report(
      """
      \(name) at \(fileID):\(line): children are nested deeper than this thread's stack allows; \
      the action was dropped
        - use the store on an actor whose thread has more stack, as the host's has
      """)
    return true
  }

  /// Reports an action that could not be handled, with what it was, why and what to do.
  func report(_ what: String, action: Any, causes: [String]) {
    Issue.report(
      """
      \(name) at \(fileID):\(line): \(what)
        action: \(StateDump.line(action))
      \(causes.map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }
}
