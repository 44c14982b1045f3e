internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import Glibc
internal import Shell
internal import Support

/// `appcore plugin build`: compiles the plugin in a folder against this appcore's SDK.
struct PluginBuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Compile a plugin's folder if anything has changed.",
    usage: "appcore plugin build [<dir>] [<option> ...]",
    discussion: """
      Print the path of the library, .build/appcore/<configuration>/lib<Name>.so in the folder. \
      It is compiled by the 'swiftc' on the PATH against the modules of this appcore.

      Examples:
        appcore plugin build
        appcore plugin build Plugins/Devices -c release
      """)

  @Argument(help: ArgumentHelp("The plugin's folder.", valueName: "dir"), completion: .directory)
  var folder = "."

  @Option(name: .shortAndLong, help: "The build configuration.")
  var configuration = PluginConfiguration.debug

  @Flag(
    name: .customLong("allow-writable"), help: "Allow sources that other users can modify.")
  var allowsWritable = false

  func run() throws {
    var options = AppOptions()
    options.allowsWritable = allowsWritable
    // Only then does the compiler get the option for colors.
    let isStyled = TerminalFacts(descriptor: STDERR_FILENO).style == .terminal
    do throws(PluginFolderError) {
      let built = try PluginFolder.build(
        folder, configuration, showsColors: isStyled, options: options)
      WorkspaceProgress.pass(built.diagnostics, isStyled)
      Console.printError(
        built.didCompile ? "\(built.name): compiled" : "\(built.name): nothing has changed")
      Console.print(built.path)
    } catch {
      WorkspaceProgress.pass(error.diagnostics, isStyled)
      // The compiler's own messages, printed above, are enough.
      if !error.isCompilers { Console.printError(error.description) }
      throw ExitCode(error.exitStatus)
    }
  }
}
