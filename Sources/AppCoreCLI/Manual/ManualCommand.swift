internal import ArgumentParser
internal import Support

/// `appcore __man`: writes the manual pages, made from the commands' help; the build calls it.
struct ManualCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__man", abstract: "Write the manual pages to a folder.",
    shouldDisplay: false)

  @Argument var folder: String

  func run() throws {
    for (name, text) in try ManualPages(dump: AppCoreCommand._dumpHelp()).pages {
      try write(text, to: folder + "/" + name)
    }
  }
}

extension ParsableCommand {
  /// Writes a page to a file.
  ///
  /// - Throws: exit status 74 if writing fails, after printing why.
  func write(_ text: String, to path: String) throws {
    do throws(SystemError) {
      try WholeFile.write(text, to: path)
    } catch {
      Console.printError("appcore: can't write '\(path)': \(error)")
      throw ExitCode(74)
    }
  }
}
