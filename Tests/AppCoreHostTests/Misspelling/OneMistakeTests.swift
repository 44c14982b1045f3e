@_spi(Host) internal import AppCore
import Foundation
internal import Support
import Testing

@testable import AppCheck
@_spi(Host) @testable import AppCoreHost

/// Mistakes that are larger than a letter, each made in a manifest that ships.
@Suite("One mistake is one problem")
struct OneMistakeTests {
  struct Mistake: CustomTestStringConvertible, Sendable {
    let name: String
    let pattern: String
    let replacement: String

    init(_ name: String, _ pattern: String, _ replacement: String) {
      self.name = name
      self.pattern = pattern
      self.replacement = replacement
    }

    var testDescription: String { name }
  }

  /// The lines below a key of the first level.
  private static let block = "\\n((  .*|#.*)\\n)+"

  static let mistakes = [
    Mistake("node:", "\\nnodes:", "\nnode:"),
    Mistake("Nodes:", "\\nnodes:", "\nNodes:"),
    Mistake("a list of nodes", "\\nnodes:\(block)", "\nnodes: [a]\n"),
    Mistake("nodes without a value", "\\nnodes:\(block)", "\nnodes:\n"),
    Mistake("nodes twice, first empty", "\\nnodes:", "\nnodes: {}\nnodes:"),
    Mistake("nodes twice, then empty", "\\n$", "\nnodes: {}\n"),
    Mistake("plugin:", "\\nplugins:", "\nplugin:"),
    Mistake("plugins as a word", "\\nplugins:\(block)", "\nplugins: Dialogs\n"),
    Mistake("plugins without a value", "\\nplugins:\(block)", "\nplugins:\n"),
    Mistake("the start misspelt", "\\nstart: (.)(.)", "\nstart: $2$1"),
    Mistake("the start without a value", "\\nstart: .*", "\nstart:"),
    Mistake("no start", "\\nstart: .*", ""),
    Mistake("a variable misspelt", "\\$vars\\.", "\\$vars.x"),
    Mistake("a merge key", "\\nnodes:", "\nnodes:\n  <<: { a: 1 }"),
    Mistake("a node without a value", "(\\nstart: (\\w+)(.|\\n)*\\n  \\2:).*", "$1"),
    Mistake("a node twice", "(\\nnodes:\\n)(  .*\\n)", "$1$2$2"),
    Mistake("a feature without a value", "feature: [A-Za-z.]+", "feature:"),
    Mistake("no space after from:", "\\{ from: ", "{ from:"),
    Mistake("from without a value", "\\{ from: \\w+", "{ from:"),
    Mistake("push without a value", "push: \\w+", "push:"),
    Mistake("a list that is not closed", "action: ", "action: ["),
    Mistake("route:", "\\nroutes:", "\nroute:"),
    Mistake("routes without a value", "\\nroutes:\(block)", "\nroutes:\n"),
    Mistake("var:", "\\nvars:", "\nvar:"),
    Mistake("a key in the wrong case", "feature:", "Feature:"),
    Mistake("a Cyrillic letter in a key", "action:", "\u{0430}ction:"),
  ]

  @Test("Each is reported once, in each manifest", arguments: mistakes)
  func once(mistake: Mistake) throws {
    for name in MisspellingTests.shipped {
      let text = try Project.text(name)
      let expression = try NSRegularExpression(pattern: mistake.pattern)
      let whole = NSRange(text.startIndex..., in: text)
      // "push" is not a word of every manifest.
      guard let match = expression.firstMatch(in: text, range: whole) else { continue }
      let new = expression.replacementString(
        for: match, in: text, offset: 0, template: mistake.replacement)
      let wrong = (text as NSString).replacingCharacters(in: match.range, with: new)
      let report = ManifestReport(text: wrong, path: Project.path(name))
      let errors = report.problems.filter { $0.severity == .error }
      #expect(errors.count == 1, "\(name): \(errors.map(\.message))")
    }
  }

  private func messages(_ text: String) -> [String] {
    ManifestReport(text: text, path: "a.yaml").problems.map(\.message)
  }

  @Test("A letter that only looks right is named, and what was meant is suggested")
  func oddLetters() {
    func message(start: String) -> String? {
      messages("appcore: 1\nstart: \(start)\nnodes: { list: { tabs: [list] } }\n")
        .first { $0.hasPrefix("unknown node") }
    }
    #expect(
      message(start: "l\u{0456}st")
        == "unknown node 'l\u{0456}st'; did you mean 'list'? its 2nd letter is U+0456")
    #expect(
      message(start: "list\u{200B}")?.hasSuffix("did you mean 'list'? its 5th letter is U+200B")
        == true)
    #expect(
      messages("appcore: 1\nst\u{0430}rt: a\nnodes: { a: { tabs: [a] } }\n")
        .contains(
          "unknown key 'st\u{0430}rt' in the manifest; did you mean 'start'? "
            + "its 3rd letter is U+0430"))
    #expect(
      messages("appcore: 1\nstart: \u{0430}\nnodes: { \u{0430}: { tabs: [\u{0430}] } }\n")
        .contains { $0.hasSuffix("then letters, digits and '-'; its 1st letter is U+0430") })
  }

  @Test("Reserved words are suggested where they may stand")
  func reservedWords() {
    func suggestion(_ route: String) -> String? {
      messages(
        "appcore: 1\nstart: a\nnodes: { a: { feature: A.B } }\nroutes:\n  - { \(route) }\n"
      ).lazy.compactMap { $0.firstMatch(of: /did you mean '(.*)'\?/).map { String($0.1) } }.first
    }
    #expect(suggestion("from: Any, action: x, do: ignore") == "any")
    #expect(suggestion("from: a, action: x, notify: presentr") == "presenter")
    #expect(suggestion("from: a, action: x, notify: Current") == "current")
    #expect(suggestion("from: a, action: x, popTo: rooot") == "root")
    #expect(suggestion("from: a, action: x, do: [ { dismis: a } ]") == "dismiss")
    #expect(suggestion("from: a, action: x, do: ingore") == "ignore")
  }

  @Test("Messages list every allowed word, those that are not keys included")
  func allowed() {
    let text = "appcore: 1\nstart: a\nnodes: { a: { feature: A.B } }\nroutes:\n"
    let all = messages(
      text + "  - { from: a, action: x, do: jump }\n  - { from: a, action: y }\n")
    let verbs = ["push", "present", "replace", "select", "popTo", "reset", "notify"]
    for message in all.filter({ $0.contains("verb") || $0.contains("does nothing") }) {
      for verb in verbs + ["back", "dismiss", "quit", "ignore"] { #expect(message.contains(verb)) }
    }
    #expect(all.count { $0.contains("verb") || $0.contains("does nothing") } == 2)
  }
}
