internal import AppCheck
internal import PluginHost
internal import Support

/// A bundle as a Debian package.
///
/// The bundle is in `/usr/lib/NAME`. A link to its launcher, a manual page, a bash completion and
/// the documents are in the standard folders.
struct DebianPackage {
  private let name: String
  /// The name of the manifest's file, in the same folder as `bundle.json`.
  private let manifest: String
  private let version: String
  private let title: String
  private let maintainer: String
  private let time: Int
  private let tree: BundleTree
  private let dependencies: [String]

  /// Describes the package of a bundle.
  ///
  /// - Throws: ``BundleError`` if the app has no version, or the package no valid maintainer.
  init(
    _ description: BundleDescription, title: String?, _ tree: BundleTree,
    _ libraries: [String: Set<String>], _ options: Bundle.Options
  ) throws(BundleError) {
    name = description.name
    manifest = description.manifest
    (version, maintainer) = try Self.fields(
      version: description.version, manifest: description.manifest, options)
    self.title = SafeText.line(title ?? description.name)
    time = options.time
    self.tree = tree
    dependencies =
      try DebianDependencies(libraries, environment: options.app.environment).list
      + (description.hasRuntime ? [] : ["appcore (>= \(description.appcore))"])
  }

  /// The fields that the app and whoever bundles it must give.
  ///
  /// - Parameters:
  ///   - version: the app's version.
  ///   - manifest: the name of the manifest in messages.
  ///   - options: the options for the bundle.
  /// - Returns: the version and the maintainer.
  /// - Throws: ``BundleError`` if there is no version or no valid maintainer.
  static func fields(
    version: String?, manifest: String, _ options: Bundle.Options
  ) throws(BundleError) -> (version: String, maintainer: String) {
    guard let version else {
      throw BundleError(manifest, .bundleNoVersion, "the app has no version")
    }
    guard let maintainer = options.maintainer ?? maintainer(options.app.environment) else {
      throw BundleError(
        manifest, .bundleNoMaintainer, "nothing says who maintains the package, as 'NAME <MAIL>'")
    }
    guard isMaintainer(maintainer) else {
      throw BundleError(
        manifest, .bundleNoMaintainer, "'\(maintainer)' is not of the form 'NAME <MAIL>'")
    }
    return (version, maintainer)
  }

  /// The maintainer from DEBFULLNAME and DEBEMAIL, as Debian's own tools read them.
  private static func maintainer(_ environment: [String: String]) -> String? {
    guard let mail = environment["DEBEMAIL"], !mail.isEmpty else { return nil }
    return mail.contains("<") ? mail : environment["DEBFULLNAME"].map { "\($0) <\(mail)>" }
  }

  private static func isMaintainer(_ text: String) -> Bool {
    !SafeText.needsCleaning(text)
      && text.wholeMatch(of: #/[^<>,]+ <[^<>@\s]+@[^<>@\s]+\.[^<>@\s]+>/#) != nil
  }

  #if arch(x86_64)
    private static let architecture = "amd64"
  #elseif arch(arm64)
    private static let architecture = "arm64"
  #endif

  /// The bytes of the package.
  func bytes(_ packing: Compression, for path: String) throws(BundleError) -> [UInt8] {
    var files: [BundleFile] = []
    for file in tree.sorted {
      // Documents go to /usr/share/doc.
      let isDocument = file.path.hasPrefix("share/doc/")
      files.append(file.moved(to: (isDocument ? "usr/" : "usr/lib/\(name)/") + file.path))
    }
    for (place, text) in [
      ("man/man1/\(name).1", manual), ("doc/\(name)/changelog", changeLog),
    ] {
      files.append(
        BundleFile(
          path: "usr/share/\(place).gz", bytes: try packing.compress(Array(text.utf8), for: path),
          part: .app))
    }
    for (place, text) in [
      ("bash-completion/completions/\(name)", completion),
      ("doc/\(name)/copyright", copyright), ("lintian/overrides/\(name)", overrides),
    ] {
      files.append(BundleFile(path: "usr/share/" + place, bytes: Array(text.utf8), part: .app))
    }
    let program = ArchiveEntry(path: "usr/bin/" + name, kind: .link("../lib/\(name)/bin/\(name)"))
    let sums = files.sorted { $0.path < $1.path }.map { "\(MD5($0.bytes))  \($0.path)\n" }.joined()
    let size = files.reduce(0) { $0 + ($1.bytes.count + 1023) / 1024 }
    let control = [ArchiveEntry](
      [
        BundleFile(path: "control", bytes: Array(controlFile(size: size).utf8), part: .app),
        BundleFile(path: "md5sums", bytes: Array(sums.utf8), part: .app),
      ], below: "")
    let root = ArchiveEntry(path: ".", kind: .folder)
    func packed(_ entries: [ArchiveEntry]) throws(BundleError) -> [UInt8] {
      let bytes =
        TarWriter.bytes([root], time: time).dropLast(10_240 - 512)
        + TarWriter.bytes(entries, lead: "./", time: time)
      return try packing.compress(Array(bytes), for: path)
    }
    return DebianArchive.bytes(
      control: try packed(control),
      data: try packed([ArchiveEntry](files, below: "", and: [program])), time: time)
  }

  private func controlFile(size: Int) -> String {
    """
    Package: \(name)
    Version: \(version)
    Architecture: \(Self.architecture)
    Maintainer: \(maintainer)
    Installed-Size: \(size)
    Depends: \(dependencies.joined(separator: ", "))
    Section: misc
    Priority: optional
    Description: \(synopsis)
     An app made of features in shared libraries, which are wired by a manifest.

    """
  }

  /// The first line of the description.
  ///
  /// It is the title, or a longer text if the title is a single word or begins with the package's
  /// name, which would describe nothing.
  private var synopsis: String {
    let words = title.split(separator: " ")
    let isName = title.lowercased().hasPrefix(name)
    return words.count > 1 && !isName ? title : "text-based app '\(title)'"
  }

  private var manual: String {
    var page = Roff()
    page.macro("TH", name.uppercased(), "1", date, "\(name) \(version)", "User Commands")
    page.section("NAME")
    page.text("\(name) - \(title)")
    page.section("SYNOPSIS")
    page.text("\(name) [option ...]")
    page.section("DESCRIPTION")
    page.text(
      "\(name) runs interactively on a terminal, and reads lines as a script from a pipe. "
        + "Type :help to list what can be typed.")
    page.section("OPTIONS")
    for (option, meaning) in [
      ("--script FILE", "Read lines from a file."), ("-c, --lines LINES", "Run these lines."),
      ("--json", "Print one JSON object per screen, for programs."),
      ("--open LINK", "Start at a link of the app or at a position."),
      ("--set NAME=VALUE", "Set a variable of the app."),
      ("--session FILE", "Keep the app's state in a file, to resume it."),
      ("--help", "Show all options."),
    ] { page.item(option, meaning) }
    page.section("EXIT STATUS")
    page.text("0 for success; 65 where a line of a script was refused.")
    page.section("FILES")
    page.item("/usr/lib/\(name)", "The app with its plugins.")
    return page.source
  }

  private var completion: String {
    let tree = "/usr/lib/\(name)"
    let program =
      self.tree.files["bin/appcore"] == nil ? "appcore" : "\(tree)/bin/appcore"
    let function = "_" + name.replacing("-", with: "_")
    let bundle = self.tree.files.values.first { $0.path.hasSuffix("/bundle.json") }?.path ?? ""
    let share = tree + "/" + FilePath.folder(of: bundle)
    return """
      # Completes the options of \(name) in bash.
      \(function)() {
        local line
        COMPREPLY=()
        while IFS= read -r line; do
          COMPREPLY+=("${line%%$'\\t'*}")
        done < <(\(program) __complete -- run \(shellWord(share + "/" + manifest)) \\
          "${COMP_WORDS[@]:1:COMP_CWORD}" 2>/dev/null)
      }
      complete -o bashdefault -F \(function) \(name)

      """
  }

  private var changeLog: String {
    """
    \(name) (\(version)) unstable; urgency=medium

      * Version \(version).

     -- \(maintainer)  \(DebianDate.text(time))

    """
  }

  private var date: String { DebianDate.day(time) }

  private var copyright: String {
    let license = tree.files.keys.sorted().first {
      $0.hasPrefix("share/doc/\(name)/LICENSE") || $0.hasPrefix("share/doc/\(name)/COPYING")
    }
    let text = license.flatMap { tree.files[$0] }.map { String(decoding: $0.bytes, as: UTF8.self) }
    let own =
      text.map { "The license of \(name):\n\n\($0)" }
      ?? "Ask the maintainer for the license of \(name)."
    let runtime = """
      The Swift runtime in /usr/lib/\(name)/lib/appcore/runtime is Copyright Apple Inc. and the Swift
      project authors, licensed under the Apache License, Version 2.0, with Runtime Library Exception;
      see /usr/share/common-licenses/Apache-2.0.

      libyaml there is Copyright (c) 2017-2020 Ingy dot Net and (c) 2006-2016 Kirill Simonov, licensed
      under the MIT license.

      """
    return "\(name) is maintained by \(maintainer).\n\n\(own)\n"
      + (tree.files["bin/appcore"] == nil ? "" : "\n" + runtime)
  }

  /// Suppresses lintian's tags that do not apply to a package which contains its own libraries.
  private var overrides: String {
    let tags = ["embedded-library", "custom-library-search-path", "initial-upload-closes-no-bugs"]
    return tags.map { "\(name): \($0)\n" }.joined()
  }
}

extension BundleFile {
  /// A copy of the file with another path.
  fileprivate func moved(to path: String) -> BundleFile {
    BundleFile(path: path, bytes: bytes, isExecutable: isExecutable, part: part)
  }
}
