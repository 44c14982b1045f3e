internal import ArgumentParser

/// `appcore __complete`: prints the completions of a command line, for the system's shell.
///
/// Each line is a candidate, optionally followed by a tab and a description. The shells' scripts in
/// `completions` call this command, so that they need not know the options or read manifests.
struct CompleteCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__complete", abstract: "List completions of a command line.",
    shouldDisplay: false)

  @Argument(
    parsing: .captureForPassthrough,
    help: "The words after 'appcore'; the last one is being typed.")
  var words: [String] = []

  func run() throws {
    var words = words
    if words.first == "--" { words.removeFirst() }
    let candidates = CommandLineCompletion(AppCoreCommand.self).candidates(words)
    let lines = candidates.map { $0.detail.isEmpty ? $0.text : $0.text + "\t" + $0.detail }
    if !lines.isEmpty { Console.print(lines.joined(separator: "\n")) }
  }
}
