internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser

/// `appcore __scan`: loads and describes plugins in a separate process, for a host.
///
/// A plugin that crashes while it is loaded ends only this process.
struct ScanCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "__scan", abstract: "Load and describe plugins for another process.",
    shouldDisplay: false)

  func run() throws {
    let status = ScanReport.serve()
    if status == 64 {
      Console.printError("appcore: '__scan' is for hosts, which start it themselves")
    }
    throw ExitCode(status)
  }
}
