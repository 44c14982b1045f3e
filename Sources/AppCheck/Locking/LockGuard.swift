internal import Manifest
internal import PluginHost
internal import Support

/// Reads an app's lock and verifies its signature, before any plugin is read or built.
struct LockGuard {
  /// The files of the manifest, and the lock.
  private(set) var sources: SourceMap
  /// The lock that plugins are compared with; `nil` if there is none.
  private(set) var held: LockEnforcement?
  /// The problems of the lock, and the differences of the manifest from it.
  private(set) var problems: [Diagnostic] = []
  /// The paths of the lock and, if the policy asks for one, of its signature; the files need not
  /// exist.
  private(set) var paths: [String] = []

  private let path: String
  private let lockPath: String
  private let options: AppOptions
  /// Who requires that only locked plugins are loaded; `nil` if nobody does.
  private var requirement: LockRequirement?
  private var isStrict: Bool { requirement != nil }
  /// What the machine's policy requires of the signature.
  private var level = MachinePolicy.Level.off
  /// The most commands that the machine's policy lets people type.
  private(set) var commands = Manifest.Commands.all

  /// Whether plugins may be read, built and scanned.
  var allowsLoading: Bool { !problems.containsErrors }

  init(_ result: ManifestResult, path: String, _ options: AppOptions) {
    sources = result.sources
    self.path = path
    lockPath = AppLock.path(ofManifest: path)
    self.options = options
    requirement = options.isLocked ? .option : nil
    guard options.lockUse == .hold, !options.leavesOutPlugins, let manifest = result.manifest,
      result.isComplete
    else {
      return
    }
    let files = sources.files
    readPolicy(for: manifest.name?.value ?? "app")
    if path != ManifestLoader.standardInput {
      paths = [lockPath] + (level == .off ? [] : [lockPath + SignatureCheck.suffix])
    }
    guard allowsLoading else { return }
    hold(files)
  }

  /// Reads the machine's policy; if that fails, nothing is loaded.
  private mutating func readPolicy(for app: String) {
    do throws(Rejection) {
      let (policy, found) = try options.policyFolder.policy(&sources)
      problems += found
      level = policy?.level(for: app) ?? .off
      commands = policy?.commands ?? .none
    } catch {
      let place = SourceFile(path: options.policyFolder.path, bytes: [])
      report(error.rule, "\(error.message); \(error.remedy)", file: sources.add(place))
    }
    if level >= .require { requirement = .policy }
  }

  private mutating func hold(_ files: [SourceFile]) {
    guard let (bytes, file) = read() else { return }
    let (lock, problems) = LockReader.read(bytes, file: file)
    self.problems += problems
    guard let lock else { return }
    guard lock.manifest == FilePath.name(of: path) else {
      return report(
        isStrict ? .lockOfOther.weighing(.error) : .lockOfOther,
        "this is the lock of '\(lock.manifest)', not of '\(path)'", file: file)
    }
    // A policy of `warn` reports what `require` would refuse.
    if isStrict || level == .warn { compare(lock, files, file: file) }
    // Last, since it may start a process.
    if allowsLoading, level != .off { verify(bytes, file: file) }
    held = LockEnforcement(lock, in: FilePath.folder(of: path), requirement: requirement)
  }

  private mutating func verify(_ lock: [UInt8], file: Int) {
    do throws(Rejection) {
      let signature = try LockFile.bytes(
        lockPath + SignatureCheck.suffix, limit: SignatureCheck.sizeLimit)
      let check = SignatureCheck(options.policyFolder, environment: options.environment)
      let signer = try check.verify(lock: lock, signature: signature)
      if let signature,
        let warning = check.expiry(lock: lock, signature: signature, signer: signer)
      {
        report(warning.rule, warning.text, file: file)
      }
    } catch {
      report(
        level >= .require ? error.rule : error.rule.weighing(.warning),
        "\(error.message); \(error.remedy)", file: file)
    }
  }

  /// The lock's bytes, and its index in the sources; `nil` if there is none, which is a problem if
  /// there must be one.
  private mutating func read() -> ([UInt8], Int)? {
    // Standard input has no folder.
    guard path != ManifestLoader.standardInput else {
      if isStrict { report(.lockMissing, "a manifest in standard input has no lock", file: 0) }
      return nil
    }
    do throws(Rejection) {
      guard let bytes = try LockFile.bytes(lockPath) else {
        reportMissing()
        return nil
      }
      return (bytes, sources.add(SourceFile(path: lockPath, bytes: bytes)))
    } catch {
      report(error.rule, error.message, file: 0)
      return nil
    }
  }

  private mutating func reportMissing() {
    let none = "and there is no '\(lockPath)'"
    switch requirement {
    case .option?:
      report(
        .lockMissing, "\(LockRequirement.option.words), \(none); 'appcore lock' writes it", file: 0)
    case .policy?:
      report(
        .lockMissing,
        "\(LockRequirement.policy.words), \(none); get it and its signature from whoever ships the app",
        file: 0)
    case nil where level == .warn:
      report(
        Rule.lockMissing.weighing(.warning), "the machine's policy asks for a signed lock, \(none)",
        file: 0)
    case nil: break
    }
  }

  private mutating func compare(_ lock: AppLock, _ files: [SourceFile], file: Int) {
    let folder = FilePath.folder(of: path)
    let changed = isStrict ? Rule.lockManifestChanged : .lockManifestChanged.weighing(.warning)
    var missing = Set(lock.files.keys)
    for (index, source) in files.enumerated() {
      let name = FilePath.relative(source.path, to: folder)
      if let name { missing.remove(name) }
      let digest = SHA256(source.original)
      switch name.flatMap({ lock.files[$0] }) {
      case digest?: continue
      case let was?:
        report(
          changed,
          "modified since it was locked: was \(was.short), is \(digest.short); "
            + requirement.acceptance, file: index)
      case nil:
        report(
          changed,
          "the lock does not have this file; \(requirement.acceptance)", file: index)
      }
    }
    for name in missing.sorted() {
      report(
        changed,
        "the lock has the file '\(name)', which the manifest does not include; \(requirement.acceptance)",
        file: file)
    }
  }

  private mutating func report(_ rule: Rule, _ message: String, file: Int) {
    problems.append(Diagnostic(rule, at: .start(ofFile: file), Wording.printable(message)))
  }
}
