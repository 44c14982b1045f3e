/// One completion of the line up to the cursor.
package struct Completion: Hashable, Sendable {
  /// The completed line up to the cursor.
  package let line: String
  package let label: String
  package let detail: String
  /// Whether something must follow it, so that a space is appended.
  package let continues: Bool

  /// Creates a completion; without a label it is listed as the whole line.
  package init(_ line: String, label: String? = nil, detail: String = "", continues: Bool = false) {
    self.line = line
    self.label = label ?? line
    self.detail = detail
    self.continues = continues
  }
}

/// The completions of a line, which a session gives to the editor.
package struct CompletionList: Hashable, Sendable {
  /// The line up to the cursor that these complete.
  package let head: String
  package let completions: [Completion]

  package init(head: String, _ completions: [Completion]) {
    self.head = head
    self.completions = completions
  }

  /// The longest common prefix of all completions.
  ///
  /// If it is not longer than ``head``, that is returned: a difference in case alone is not
  /// applied.
  package var commonBeginning: String {
    guard var common = completions.first.map({ Array($0.line) }) else { return head }
    for completion in completions.dropFirst() {
      let line = Array(completion.line)
      common = Array(zip(common, line).prefix { $0 == $1 }.map(\.0))
    }
    return common.count > head.count ? String(common) : head
  }
}
