internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// The files of a bundle as they are in its folder or archive, and the list with which they are
/// compared.
struct SignedBundle {
  let path: String
  let description: BundleDescription
  /// `nil` for a folder.
  let archive: BundleArchive?
  /// The bundle's folder in the archive, or in the folder of a package; empty for none.
  let root: String
  /// The files that the list has.
  private(set) var files = BundleList()
  /// The list and its signature; `nil` where there is none.
  private var list: [UInt8]?
  private var signature: [UInt8]?
  /// What has rights that no bundle gives, as lines.
  private var unsafe: [String] = []

  private mutating func add(_ path: String, _ bytes: [UInt8], isExecutable: Bool) {
    let path = place(path)
    let list = "\(description.folder)/\(BundleList.fileName)"
    if path == list { self.list = bytes }
    if path == list + SignatureCheck.suffix { signature = bytes }
    // Both are made after the list, and so are the checksums of a Debian package.
    guard ![list, list + SignatureCheck.suffix, "/DEBIAN/md5sums"].contains(path) else {
      if isExecutable { unsafe.append("mode: \(path): it is executable") }
      return
    }
    set(path, .file(SHA256(bytes), isExecutable: isExecutable))
  }

  private mutating func set(_ path: String, _ entry: BundleList.Entry) {
    if files.entries.updateValue(entry, forKey: path) != nil {
      unsafe.append("added: \(path): again")
    }
  }

  /// The path from the bundle's folder; outside it, the path from the root, with a slash.
  private func place(_ path: String) -> String {
    root.isEmpty ? path : FilePath.inside(root, path) ?? "/" + path
  }
}

extension SignedBundle {
  /// Reads the bundle at a path; `nil` if there is none.
  ///
  /// - Throws: ``BundleError`` if it can't be read, or an archive has no bundle.
  init?(_ path: String) throws(BundleError) {
    if let form = BundleArchive.Form(path), !FilePath.isFolder(path) {
      try self.init(path, BundleArchive(path, form, WorkFolder()))
      return
    }
    guard AppSource.isBundle(path) else { return nil }
    try self.init(path, try BundleDescription.read(in: path, of: path).description)
  }

  /// - Throws: ``BundleError`` if the archive has no bundle.
  init(_ path: String, _ archive: BundleArchive) throws(BundleError) {
    guard let root = archive.root, let description = try archive.description(of: path) else {
      throw BundleError(path, .bundleDamaged, "there is no bundle in it")
    }
    self.init(path: path, description: description, archive: archive, root: root)
    for member in archive.members {
      // What is not the package's own control file has no place there.
      if FilePath.inside("DEBIAN", member.path) != nil { unsafe.append("added: /" + member.path) }
      add(member)
    }
    for member in archive.control { add(member) }
    unsafe += archive.unsafeModes.sorted().map {
      "mode: \(place($0)): others could change it, or it has special rights or attributes"
    }
  }

  private mutating func add(_ member: TarReader.Member) {
    switch member.kind {
    case .folder: break
    case .file(let bytes, let isExecutable):
      add(member.path, bytes, isExecutable: isExecutable)
    case .link(let target): set(place(member.path), .link(target))
    }
  }

  /// Reads the files in a folder.
  ///
  /// - Throws: ``BundleError`` if one can't be read.
  init(
    _ folder: String, root: String = "", _ description: BundleDescription
  ) throws(BundleError) {
    self.init(path: folder, description: description, archive: nil, root: root)
    try walk("", depth: 0)
  }

  private mutating func walk(_ path: String, depth: Int) throws(BundleError) {
    let here = path.isEmpty ? self.path : self.path + "/" + path
    guard depth < 64, let names = FilePath.names(in: here) else {
      throw BundleError(here, .bundleDamaged, "the folder can't be read, or is nested too deeply")
    }
    for name in names.sorted() {
      let (path, file) = (path.isEmpty ? name : path + "/" + name, here + "/" + name)
      guard let status = FilePath.status(file, followsLinks: false) else {
        throw BundleError(file, SystemError(errno))
      }
      let kind = status.st_mode & S_IFMT
      if kind != S_IFLNK,
        let violation = FileTrust.violation(of: status, at: place(path), isAdding: true)
      {
        unsafe.append("mode: \(violation.message)")
      }
      switch kind {
      case S_IFDIR: try walk(path, depth: depth + 1)
      case S_IFREG:
        if status.st_mode & 0o6000 != 0 { unsafe.append("mode: \(place(path)): special rights") }
        let bytes = try BundleError.read(file, limit: TarReader.sizeLimit)
        guard bytes.count <= TarReader.sizeLimit, files.entries.count < TarReader.memberLimit else {
          throw BundleError(
            file, .archiveTooLarge,
            "it is larger than 512 MiB, or there are more than 100,000 files")
        }
        add(path, bytes, isExecutable: status.st_mode & 0o111 != 0)
      case S_IFLNK: set(place(path), .link(FilePath.linkTarget(file) ?? ""))
      default: unsafe.append("added: \(place(path)): a special file")
      }
    }
  }

  /// Compares the files with the list.
  ///
  /// What is signed anew may lack the former signature of the lock.
  ///
  /// - Throws: ``BundleError`` about each difference.
  func check(ignoring ignored: String? = nil) throws(BundleError) {
    guard var listed = list.flatMap(BundleList.init) else {
      throw BundleError(
        path, .bundleNoList,
        "'\(description.folder)/\(BundleList.fileName)' is \(list == nil ? "missing" : "damaged")")
    }
    var found = files
    // An installed package has its other files elsewhere.
    if archive == nil { listed.entries = listed.entries.filter { !$0.key.hasPrefix("/") } }
    if let ignored { (listed.entries[ignored], found.entries[ignored]) = (nil, nil) }
    var differences = listed.differences(from: found.entries) + unsafe
    // To Swift, names that differ in how their accents are composed are the same.
    if differences.isEmpty, !listed.text.utf8.elementsEqual(found.text.utf8) {
      differences = ["changed: the bytes of a name"]
    }
    guard differences.isEmpty else {
      let count = differences.count == 1 ? "1 file differs" : "\(differences.count) files differ"
      throw BundleError(
        path, .bundleChanged, "\(count) from what the bundle was made of",
        details: Array(differences.prefix(50))
          + (differences.count > 50 ? ["and \(differences.count - 50) more"] : []))
    }
  }

  /// Verifies the signature and then each file.
  ///
  /// A key that expires soon is reported.
  ///
  /// - Returns: who signed it.
  /// - Throws: ``BundleError``
  @discardableResult
  func verify(
    by policy: PolicyFolder = .machine, signers: [UInt8]? = nil,
    _ environment: [String: String] = ProcessVariables.all
  ) throws(BundleError) -> String {
    let verifier = SignatureCheck(policy, of: .bundle, signers: signers, environment: environment)
    var signer = ""
    // Without a list, the comparison says that.
    if let list {
      do throws(Rejection) {
        signer = try verifier.verify(lock: list, signature: signature)
      } catch {
        throw BundleError(path, error)
      }
    }
    try check()
    if let list, let signature {
      BundleSeal.report(verifier.expiry(lock: list, signature: signature, signer: signer), path)
    }
    return signer
  }

  /// Whether the machine's policy asks for a bundle that is signed as a whole.
  ///
  /// What is wrong with the policy is reported by whoever loads the app, which then does not run.
  static func isRequired(for app: String) -> Bool {
    var sources = SourceMap()
    return (try? PolicyFolder.machine.policy(&sources))?.policy?.level(for: app) == .bundle
  }

  /// Whether this program is part of the bundle in a folder.
  static func isOwn(_ folder: String) -> Bool {
    guard let program = FilePath.resolved("/proc/self/exe"), let folder = FilePath.resolved(folder)
    else { return false }
    return FilePath.inside(folder, program) != nil
  }
}
