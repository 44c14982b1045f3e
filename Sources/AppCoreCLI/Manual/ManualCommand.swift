internal import ArgumentParser
internal import Glibc

/// `appcore __man`: writes the manual pages, from what help says; the build calls it.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__man", abstract: "Write the manual pages to a folder.",
    shouldDisplay: false)

  @Argument var folder: String

  func run() throws {
    let pages = try ManualPages(dump: AppCoreCommand._dumpHelp()).pages
    for (name, text) in pages {
      let path = folder + "/" + name
      guard let file = fopen(path, "w") else {
        Console.printError("appcore: can't write '\(path)': \(String(cString: strerror(errno)))")
        throw ExitCode(74)
      }
      let count = fputs(text, file)
      guard fclose(file) == 0, count >= 0 else {
        Console.printError("appcore: can't write '\(path)': \(String(cString: strerror(errno)))")
        throw ExitCode(74)
      }
    }
  }
}
