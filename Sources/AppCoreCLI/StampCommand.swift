internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser

/// `appcore __stamp`: appends the digest of a plugin's library to it; `make install` calls it.
struct StampCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__stamp", abstract: "Append the digest of a plugin's library to it.",
    shouldDisplay: false)

  @Argument var library: String

  func run() throws {
    do throws(PluginFolderError) {
      try PluginFolder.stamp(library)
    } catch {
      Console.printError(error.description)
      throw ExitCode(error.exitStatus)
    }
  }
}
