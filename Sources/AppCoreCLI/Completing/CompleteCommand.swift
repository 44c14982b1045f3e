internal import ArgumentParser

/// `appcore __complete`: tells a system's shell how its command line may continue.
///
/// One candidate a line: what it is, a tab, and a few words about it. The scripts in `completions`
/// ask for them, so that they know nothing of options and manifests themselves.
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
