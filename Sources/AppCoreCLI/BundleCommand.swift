internal import AppCheck
internal import AppCoreHost
internal import ArgumentParser
internal import PluginHost
internal import Supervision
internal import Support

struct BundleCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bundle",
    abstract: "Bundle an app with all that it needs to run elsewhere.",
    usage: "appcore bundle [<manifest>] -o <path> [<option> ...]",
    discussion: """
      The bundle has the host, the libraries of Swift, the plugins and the manifest. A path that \
      ends in .tar.gz or .deb makes an archive.

      Examples:
        appcore bundle -o build/console
        appcore bundle app.yaml -o console.tar.gz
        appcore bundle -o console.deb --maintainer 'Ada <ada@example.org>'
      """)

  @OptionGroup var app: ManifestOptions

  @Option(
    name: .shortAndLong,
    help: ArgumentHelp("Where the bundle is to be.", valueName: "path"), completion: .file())
  var output: String

  @Option(
    name: .customLong("with-runtime"),
    help: ArgumentHelp(
      "Whether the host and the libraries of Swift are part of it; without them it needs an installed "
        + "appcore.", valueName: "yes|no"))
  var runtime = YesOrNo.yes

  @Option(
    help: ArgumentHelp(
      "Who maintains a .deb; unless given, DEBFULLNAME and DEBEMAIL.", valueName: "name <mail>"))
  var maintainer: String?

  @Option(
    name: .customLong("sign"),
    help: ArgumentHelp(
      "Sign the bundle's files and its lock with an SSH key, as 'appcore sign' does.",
      valueName: "file"),
    completion: .file())
  var key: String?

  @Option(
    help: ArgumentHelp(
      "Keep the debug information that the bundle is without in a .tar.gz, for 'appcore crashes'.",
      valueName: "file"),
    completion: .file())
  var symbols: String?

  /// The value of an option that takes `yes` or `no`.
  enum YesOrNo: String, CaseIterable, ExpressibleByArgument {
    case yes, no
  }

  func validate() throws {
    guard !output.isEmpty else { throw ValidationError("'-o' takes a path; it is empty.") }
    guard app.reading.mocks.isEmpty else {
      throw ValidationError("A bundle has plugins and not mocks; leave out '--mock'.")
    }
    try checkPath(key, of: "--sign")
    if let symbols, !symbols.hasSuffix(".tar.gz") {
      throw ValidationError("'--symbols' takes a file that ends in .tar.gz.")
    }
    let bundle = FilePath.absolute(output)
    if let file = symbols.map({ FilePath.absolute($0) }),
      file == bundle || file.hasPrefix(bundle + "/")
    {
      throw ValidationError("'--symbols' is in the bundle that '-o' writes; name a file outside.")
    }
    _ = try Bundle.time()
  }

  func run() throws {
    var options = Bundle.Options(app: try app.reading.appOptions(), time: try Bundle.time())
    options.hasRuntime = runtime == .yes
    options.maintainer = maintainer
    options.signingKey = key
    options.symbols = try symbols.map { path in
      FilePath.makeFolder(FilePath.folder(of: path))
      return try OutputFile(path, "the symbols")
    }
    let workspace = try Workspace(app.manifest)
    let plugins = try workspace.plugins(options: options.app)
    // Checked first, so that nothing is compiled if the bundle can't be written.
    try Bundle.check(workspace, to: output, options: options)
    let outcomes = PluginBuild.runShowingProgress(plugins, .release, options.app)
    for case .failure(let error) in outcomes { throw ExitCode(error.exitStatus) }
    let bundle = try Bundle(workspace, to: output, options: options)
    Console.print(Self.text(of: bundle))
    if bundle.foundation.size > 0 {
      let users = bundle.foundation.users.map { SafeText.line($0) }.joined(separator: ", ")
      let size = Self.megabytes(bundle.foundation.size).drop { $0 == " " }
      Console.report(
        "note: Foundation, which \(users) imports, takes \(size) of the bundle; most of it is also in "
          + "'FoundationEssentials', which the host needs anyway")
    }
  }

  /// The bundle's name and version, the size of each part, and the system libraries it needs.
  private static func text(of bundle: Bundle) -> String {
    var rows = BundleFile.parts.compactMap { part in bundle.sizes[part].map { (part, $0) } }
    rows.append(("total", bundle.sizes.values.reduce(0, +)))
    if let size = bundle.archiveSize { rows.append(("packed", size)) }
    let needed = bundle.systemLibraries.keys.sorted().joined(separator: ", ")
    let parts = rows.map { "  \(TextLayout.pad($0.0, to: 8)) \(megabytes($0.1))" }
    return ([bundle.description.title] + parts + ["  needs    " + needed]).joined(separator: "\n")
  }

  /// A size in megabytes with two decimals, such as `12.30 MB`, right-aligned to 9 characters.
  private static func megabytes(_ bytes: Int) -> String {
    let hundredths = (bytes + 5_000) / 10_000
    let rest = hundredths % 100
    let text = "\(hundredths / 100).\(rest < 10 ? "0" : "")\(rest) MB"
    return TextLayout.pad(text, to: 9, trailing: true)
  }
}

extension Bundle {
  /// The modification time of all files, in seconds since 1970: SOURCE_DATE_EPOCH if it is set, else
  /// 1980-01-01, the earliest time that all common archive formats can store.
  static func time() throws -> Int {
    guard let text = ProcessVariables.value("SOURCE_DATE_EPOCH"), !text.isEmpty else {
      return 315_532_800
    }
    // The largest time that a tar header can hold: eleven octal digits.
    guard let time = Int(text), (0..<1 << 33).contains(time) else {
      throw ValidationError(
        "SOURCE_DATE_EPOCH is '\(SafeText.line(text))'; it takes seconds since 1970.")
    }
    return time
  }
}
