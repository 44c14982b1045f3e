internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// Writes the list of a bundle's files into its folder and, with a key, its signature.
struct BundleSeal {
  /// The folder whose files are listed.
  let folder: String
  /// The bundle's folder in it; empty for itself.
  var root = ""
  let description: BundleDescription
  let key: String?
  private var share: String {
    [folder, root, description.folder].filter { !$0.isEmpty }.joined(separator: "/")
  }

  func write(time: Int) throws(BundleError) {
    let list = try SignedBundle(folder, root: root, description).files.bytes(of: description.name)
    try replace(BundleList.fileName, list, time)
    guard let key else { return }
    let signature = try sign(list, as: .bundle, key)
    try replace(BundleList.fileName + SignatureCheck.suffix, signature, time)
    // As far as this machine knows the key.
    let check = SignatureCheck(.machine, of: .bundle, environment: ProcessVariables.all)
    if let signer = try? check.verify(lock: list, signature: signature) {
      Self.report(check.expiry(lock: list, signature: signature, signer: signer), key)
    }
  }

  /// Reports that a key expires soon.
  static func report(_ warning: DiagnosticMessage?, _ path: String) {
    guard let warning else { return }
    let text = "\(path): warning: \(warning.text) [\(warning.rule.code)]"
    Console.printError(SafeText.line(text), .warning)
  }

  /// Signs the lock anew, and then the list of files, which has the lock's signature.
  func sign(time: Int) throws(BundleError) {
    guard let key else { return }
    let lock = try BundleError.read(share + "/" + AppLock.fileName)
    let signature = try sign(lock, as: .lock, key)
    try replace(AppLock.fileName + SignatureCheck.suffix, signature, time)
    try write(time: time)
  }

  private func sign(
    _ bytes: [UInt8], as subject: SignatureCheck.Subject, _ key: String
  ) throws(BundleError) -> [UInt8] {
    do throws(Rejection) {
      return try SignatureCheck.sign(
        bytes, as: subject, key: key, environment: ProcessVariables.all)
    } catch {
      throw BundleError(key, error)
    }
  }

  /// Writes a file beside its place and renames it, so that a reader sees the former or this one.
  private func replace(_ name: String, _ bytes: [UInt8], _ time: Int) throws(BundleError) {
    let path = share + "/" + name
    let new = path + ".new"
    unlink(new)
    try BundleError.reporting(path) { () throws(SystemError) in
      try BundleTree.write(BundleFile(path: name, bytes: bytes), to: new, time: time)
      guard rename(new, path) == 0 else { throw SystemError(errno) }
      try BundleTree.setTime(of: share, to: time)
    }
  }
}

extension BundleSeal {
  /// Signs the bundle at a path anew, an archive or a folder; returns `false` if there is none.
  ///
  /// Its files have to be those of its list, so that nothing is signed that was damaged on the way.
  static func sign(_ path: String, key: String, time: Int) throws -> Bool {
    guard let bundle = try SignedBundle(path) else { return false }
    let (description, root) = (bundle.description, bundle.root)
    try bundle.check(
      ignoring: "\(description.folder)/\(AppLock.fileName)\(SignatureCheck.suffix)")
    guard let archive = bundle.archive else {
      try BundleSeal(folder: path, description: description, key: key).sign(time: time)
      return true
    }
    let target = try BundleTarget(path)
    let work = try WorkFolder(in: target.parent)
    let folder = archive.form == .deb ? "package" : "unpacked"
    let place = try work.folder(folder)
    if archive.form == .deb { _ = try work.folder(folder + "/DEBIAN") }
    let members = archive.members + archive.control
    try BundleError.reporting(path) { () throws(SystemError) in
      try members.write(to: place, withLinks: true)
      for member in members where member.kind == .folder {
        guard chmod(place + "/" + member.path, 0o755) == 0 else { throw SystemError(errno) }
      }
    }
    try BundleSeal(folder: place, root: root, description: description, key: key).sign(time: time)
    let made: String
    if archive.form == .deb {
      made = try DebianPackage.pack(folder, time: time, in: work, for: path)
    } else {
      made = try work.archive(
        root, of: folder, as: WorkFolder.archiveName, time: time, for: path)
    }
    try target.take(archive: made, time: time)
    return true
  }
}
