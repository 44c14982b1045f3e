internal import AppCheck
internal import ArgumentParser
internal import PluginHost
internal import Support

struct VerifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Compare all files of a bundle with what was signed.",
    usage: "appcore verify <bundle> [<option> ...]",
    discussion: """
      Examples:
        appcore verify console-1.0.tar.gz
        appcore verify /opt/console --allowed-signers release-keys
      """)

  @Argument(
    help: "The bundle's folder or archive.", completion: .file(extensions: ["gz", "tgz", "deb"]))
  var bundle: String

  @Option(
    name: .customLong("allowed-signers"),
    help: ArgumentHelp(
      "Who may sign, instead of '/etc/appcore/allowed_signers'.", valueName: "file"),
    completion: .file())
  var signersFile: String?

  func validate() throws { try checkPath(signersFile, of: "--allowed-signers") }

  func run() throws {
    let signers = try signersFile.map { try BundleError.read($0, limit: 4 << 20) }
    guard let bundle = try SignedBundle(self.bundle) else {
      throw BundleError(
        self.bundle, .bundleDamaged, "there is no bundle",
        remedy: "name the folder or the archive that `appcore bundle` wrote")
    }
    guard !SignedBundle.isOwn(self.bundle) else {
      throw CommandError(
        "this appcore is part of '\(self.bundle)', and can't verify it; use one that is installed "
          + "apart from the bundle")
    }
    let signer = try bundle.verify(signers: signers)
    Console.print(
      "\(bundle.description.title): all \(bundle.files.entries.count) files are as "
        + "\(SafeText.line(signer)) signed them")
  }
}
