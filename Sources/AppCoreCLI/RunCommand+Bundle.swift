internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

extension RunCommand {
  /// Where the machine's policy asks for it, verifies all files of a bundle's folder, and replaces this
  /// process by the bundle's own host.
  ///
  /// Returns if the policy does not, if this is the bundle's own host, or if the bundle has none. Other
  /// apps are compared with their signed lock when they are loaded.
  ///
  /// - Throws: ``BundleError``, why it may not run.
  func handOver() throws(BundleError) {
    // The link that leads to the folder may be changed meanwhile, to lead to another bundle.
    guard let path = app.manifest, AppSource.isBundle(path), !SignedBundle.isOwn(path),
      let folder = FilePath.resolved(path)
    else { return }
    let name = try BundleDescription.read(in: folder, of: path).description.name
    guard SignedBundle.isRequired(for: name) else { return }
    // First, so that nobody else can replace what is verified.
    if let violation = TrustedPath.violation(ofAddingTo: path) {
      throw BundleError(
        path, .bundleChanged, violation.message,
        remedy: "install the bundle where only root or you can write")
    }
    guard let bundle = try SignedBundle(folder) else { return }
    try bundle.verify()
    guard bundle.description.hasRuntime else { return }
    let host = folder + "/bin/appcore"
    execv(host, CommandLine.unsafeArgv)
    throw BundleError(host, SystemError(errno))
  }
}
