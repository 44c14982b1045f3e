internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import PluginHost
internal import Support

struct BuildCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "build", abstract: "Compile the changed plugins of an app.",
    usage: "appcore build [<manifest>] [<option> ...]",
    discussion: """
      Print the path of each library. Only plugins that the manifest names by their source folder \
      are compiled, as many at once as there are cores.

      Examples:
        appcore build
        appcore build app.yaml --release
      """)

  @OptionGroup var app: ManifestOptions

  @Flag(help: "Build with optimizations.")
  var release = false

  func run() throws {
    let options = try app.reading.appOptions()
    let plugins = try Workspace(app.manifest).plugins(options: options)
    let outcomes = PluginBuild.runShowingProgress(plugins, release ? .release : .debug, options)
    var status: Int32 = 0
    for outcome in outcomes {
      switch outcome {
      case .success(let built): Console.print(built.path)
      case .failure(let error): status = max(status, error.exitStatus)
      }
    }
    if status != 0 { throw ExitCode(status) }
  }
}
