internal import ArgumentParser
internal import Conversation

/// `appcore explain`: says what a code means and what to do about it.
struct ExplainCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "explain",
    abstract: "Says what a problem's or refusal's code means, and what to do.",
    discussion: "A code stands in brackets at the end of a message, such as [unknown-node].")

  @Argument(help: "The code; without one, all codes are listed.")
  var code: String?

  func run() throws {
    guard let code else {
      Console.print(Explanation.list, terminator: "")
      return
    }
    do throws(UnknownCode) {
      Console.print(try Explanation.text(of: code), terminator: "")
    } catch {
      Console.printError("\(error)")
      throw ExitCode(64)
    }
  }
}
