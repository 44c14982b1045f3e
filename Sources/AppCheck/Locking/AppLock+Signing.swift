package import PluginHost
internal import Support

extension AppLock {
  /// Signs the file of a manifest's lock.
  ///
  /// - Parameters:
  ///   - path: the manifest.
  ///   - key: the file of the key.
  ///   - environment: the process's variables.
  /// - Returns: the path of the signature.
  /// - Throws: why there is no lock, or why it can't be signed.
  package static func sign(
    ofManifest path: String, key: String, environment: [String: String]
  ) throws(LockError) -> String {
    let target = AppLock.path(ofManifest: path)
    guard let bytes = try LockFile.given(target) else {
      throw .refused(path: target, Rejection(.lockMissing, "there is no lock to sign"))
    }
    let lock = try LockFile.read(target, bytes)
    try lock.requireManifest(FilePath.name(of: path), at: target)
    let file = target + SignatureCheck.suffix
    do throws(Rejection) {
      let signature = try LockSigner(environment: environment).signature(of: bytes, key: key)
      try LockFile.write(
        signature, to: file, over: "-----BEGIN SSH SIGNATURE-----")
    } catch {
      throw .refused(path: file, error)
    }
    return file
  }
}
