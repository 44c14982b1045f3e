/// Where an operator was written, for reports of misuse.
@usableFromInline
final class OperatorSite: Sendable {
  let name: String
  let fileID: StaticString
  let line: UInt

  @usableFromInline
  init(name: String, fileID: StaticString, line: UInt) {
    self.name = name
    self.fileID = fileID
    self.line = line
  }

  /// Causes that several operators name for an action of a child that is not there.
  static let childStillRan =
    "an effect of the child still ran: start it in the child, so that it ends with it"
  static let elementStillRan =
    "an effect of the element still ran: start it in the element's reducer, so that it ends with it"

  /// Reports that the children are nested too deeply.
  ///
  /// The report does not dump the action, since that takes stack too.
  func reportLowStack() {
    RuntimeIssue.report(
      """
      \(name) at \(fileID):\(line): children are nested deeper than this thread's stack allows; \
      the action was dropped
        - use the store on an actor whose thread has more stack, as the host's has
      """)
  }

  /// Reports an action that could not be handled, with the likely causes and their fixes.
  @usableFromInline
  func report(_ what: String, action: Any, causes: [String]) {
    RuntimeIssue.report(
      """
      \(name) at \(fileID):\(line): \(what)
        action: \(StateDump.line(action))
      \(causes.map { "  - \($0)" }.joined(separator: "\n"))
      """)
  }
}
