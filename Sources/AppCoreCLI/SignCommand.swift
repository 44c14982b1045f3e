internal import AppCheck
internal import ArgumentParser
internal import PluginHost
internal import Support

struct SignCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "sign",
    abstract: "Sign an app's lock, or a bundle, with an SSH key.",
    usage: "appcore sign [<manifest>] --key <file>",
    discussion: """
      Examples:
        appcore sign --key ~/.ssh/id_ed25519
        appcore sign console-1.0.tar.gz --key ~/.ssh/id_ed25519
      """)

  @Argument(
    help: "A manifest, its folder or a bundle; by default the manifest in the working directory.",
    completion: .file(extensions: ["yaml", "yml", "gz", "tgz", "deb"]))
  var manifest: String?

  @Option(
    help: ArgumentHelp(
      "The private key, or the public key of one that the SSH agent has.", valueName: "file"),
    completion: .file())
  var key: String

  func validate() throws { try checkPath(key, of: "--key") }

  func run() throws {
    if let manifest, try BundleSeal.sign(manifest, key: key, time: Bundle.time()) {
      Console.printError("\(SafeText.line(manifest)): signed")
      return
    }
    let path = try AppLock.sign(
      ofManifest: Workspace(manifest).manifest, key: key, environment: ProcessVariables.all)
    Console.printError("\(SafeText.line(path)): written")
  }
}
