internal import AppCoreHost
internal import ArgumentParser

/// `appcore __scan`: loads a plugin in this process, which nobody minds losing.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__scan", abstract: "Loads one plugin and says that it did.",
    shouldDisplay: false)

  @Argument var plugin: String

  func run() throws {
    do throws(PluginScanError) {
      Console.print(try ScanReport.ofPlugin(at: plugin), terminator: "")
    } catch {
      Console.printError("\(error)")
      throw ExitCode(69)
    }
  }
}
