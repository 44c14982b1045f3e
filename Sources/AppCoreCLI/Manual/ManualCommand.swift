internal import ArgumentParser
internal import Support

/// `appcore __man`: writes the manual pages, from what help says; the build calls it.
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
  /// Writes a page.
  ///
  /// - Throws: the exit status of an input or output error, which has been printed.
  func write(_ text: String, to path: String) throws {
    do throws(SystemError) {
      try WholeFile.write(text, to: path)
    } catch {
      Console.printError("appcore: can't write '\(path)': \(error)")
      throw ExitCode(74)
    }
  }
}
