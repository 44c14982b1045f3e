internal import AppCoreHost
internal import ArgumentParser
internal import Support

struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Explain a problem or rejection code, and what to do.",
    discussion: "The code is in brackets at the end of a message, such as [unknown-node].")

  @Argument(help: "The code; without one, list all codes.", completion: .codes)
  var code: String?

  func run() throws {
    guard let code else {
      Console.print(RuleGroup.list, terminator: "")
      return
    }
    do throws(Rejection) {
      Console.print(try RuleGroup.text(of: code), terminator: "")
    } catch {
      throw CommandError(error.message)
    }
  }
}

extension CompletionKind {
  static let codes = CompletionKind.custom { _, _, _ in RuleGroup.rules.map(\.code) }
}
