internal import AppCheck
internal import Glibc
internal import PluginHost
internal import Support

/// A bundle as a Debian package.
///
/// The bundle is in `/usr/lib/NAME`. A link to its launcher, a manual page, a bash completion, units of
/// systemd, which are not enabled, and the documents are in the standard folders.
struct DebianPackage {
  private let name: String
  private let bundle: Bundle
  private let tree: BundleTree
  private let version: String
  private let maintainer: String
  private let dependencies: [String]
  private let options: Bundle.Options

  /// Describes the package of a bundle.
  ///
  /// - Throws: ``BundleError`` if the app has no version, or the package no valid maintainer.
  init(
    _ bundle: Bundle, _ tree: BundleTree, _ options: Bundle.Options
  ) throws(BundleError) {
    (self.bundle, self.tree, self.options) = (bundle, tree, options)
    name = bundle.description.name
    (version, maintainer) = try Self.fields(
      version: bundle.description.version, manifest: bundle.description.manifest, options)
    dependencies =
      try Self.packages(of: bundle.systemLibraries, environment: options.app.environment)
      + (bundle.description.hasRuntime ? [] : ["appcore (>= \(bundle.description.appcore))"])
  }

  /// The fields that the app and whoever bundles it must give.
  ///
  /// - Throws: ``BundleError`` if there is no version or no valid maintainer.
  static func fields(
    version: String?, manifest: String, _ options: Bundle.Options
  ) throws(BundleError) -> (version: String, maintainer: String) {
    guard let version else {
      throw BundleError(manifest, .bundleNoVersion, "the app has no version")
    }
    guard let maintainer = options.maintainer ?? Self.maintainer else {
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
  private static var maintainer: String? {
    guard let mail = ProcessVariables.value("DEBEMAIL"), !mail.isEmpty else { return nil }
    return mail.contains("<")
      ? mail : ProcessVariables.value("DEBFULLNAME").map { "\($0) <\(mail)>" }
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

  /// Makes the package in a folder of `work` and returns the path of its file.
  func make(in work: WorkFolder, for target: String) throws(BundleError) -> String {
    var package = BundleTree()
    for var file in tree.sorted {
      // Documents go to /usr/share/doc.
      let isDocument = file.path.hasPrefix("share/doc/")
      file.path = (isDocument ? "usr/" : "usr/lib/\(name)/") + file.path
      package.add(file)
    }
    func add(_ path: String, _ text: String) {
      package.add(BundleFile(path: path, bytes: Array(text.utf8)))
    }
    let compressed = ["usr/share/man/man1/\(name).1", "usr/share/doc/\(name)/changelog"]
    add(compressed[0], manual)
    add(compressed[1], changeLog)
    for (path, unit) in [
      ("\(name).service", PackageResources.app_service),
      ("\(name)@.service", PackageResources.app_tty_service),
    ] {
      // systemd reads '%' as the beginning of a specifier.
      let title = bundle.title.replacing("%", with: "%%")
      add("usr/lib/systemd/system/" + path, String(unit, ["name": name, "title": title]))
    }
    add("usr/share/bash-completion/completions/\(name)", completion)
    add("usr/share/doc/\(name)/copyright", copyright)
    add("usr/share/lintian/overrides/\(name)", overrides)
    let size = package.sorted.reduce(0) { $0 + ($1.bytes.count + 1023) / 1024 }
    add("DEBIAN/control", controlFile(size: size))
    let folder = try work.folder("package")
    let bin = folder + "/usr/bin"
    try BundleError.reporting(target) { () throws(SystemError) in
      try package.write(to: folder, time: options.time)
      guard mkdir(bin, 0o755) == 0, chmod(bin, 0o755) == 0,
        symlink("../lib/\(name)/bin/\(name)", bin + "/" + name) == 0
      else { throw SystemError(errno) }
    }
    _ = try work.run("gzip", ["-n", "-9"] + compressed, in: "package", for: target)
    let sums = try work.run(
      // Signatures are left out, so that the sums stay when the package is signed again.
      "sh", ["-c", "find usr -type f ! -name '*.lock.sig' -print0 | sort -z | xargs -0 md5sum"],
      in: "package", for: target)
    try package.add(
      BundleFile(path: "DEBIAN/md5sums", bytes: Array(sums.utf8)),
      writingTo: folder, time: options.time)
    try BundleSeal(
      folder: folder, root: "usr/lib/\(name)", description: bundle.description,
      key: options.signingKey
    ).write(time: options.time)
    return try Self.pack("package", time: options.time, in: work, for: target)
  }

  /// Packs a folder of `work` as a package, and returns the path of its file.
  static func pack(
    _ folder: String, time: Int, in work: WorkFolder, for target: String
  ) throws(BundleError) -> String {
    // What was made just now gets the time of the rest.
    _ = try work.run(
      "dpkg-deb", ["-Zgzip", "-z9", "--root-owner-group", "--build", folder, "archive.deb"],
      for: target, with: ["SOURCE_DATE_EPOCH": "\(time)"])
    return work.path + "/archive.deb"
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
    let title = bundle.title
    let isName = title.lowercased().hasPrefix(name)
    return title.contains(" ") && !isName ? title : "text-based app '\(title)'"
  }

  private var manual: String {
    let values = [
      "NAME": name.uppercased(), "date": date("%Y-%m-%d"), "plain": name, "version": version,
      "name": Self.roff(name), "title": Self.roff(bundle.title),
    ]
    return String(PackageResources.manual_1, values)
  }

  /// A text of one line without what roff would read as something else.
  private static func roff(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\\": result += "\\e"
      case "-": result += "\\-"
      case "'": result += "\\(aq"
      case _ where scalar.isASCII: result.unicodeScalars.append(scalar)
      default: result += "\\[u\(Wording.hex(scalar.value))]"
      }
    }
    return result
  }

  private var completion: String {
    let lib = "/usr/lib/\(name)"
    let program = bundle.description.hasRuntime ? "\(lib)/bin/appcore" : "appcore"
    let manifest = "\(lib)/\(bundle.description.folder)/\(bundle.description.manifest)"
    return String(
      PackageResources.completion_bash,
      [
        "name": name, "function": "_" + name.replacing("-", with: "_"), "program": program,
        "manifest": shellWord(manifest),
      ])
  }

  private var changeLog: String {
    """
    \(name) (\(version)) unstable; urgency=medium

      * Version \(version).

     -- \(maintainer)  \(date("%a, %d %b %Y %H:%M:%S +0000"))

    """
  }

  /// The time of the files in UTC; in English, since the program sets no locale.
  private func date(_ format: String) -> String {
    var seconds = time_t(options.time)
    var parts = tm()
    gmtime_r(&seconds, &parts)
    var text = [CChar](repeating: 0, count: 64)
    strftime(&text, text.count, format, &parts)
    return text.withUnsafeBytes { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }

  private var copyright: String {
    let license = tree.files.keys.sorted().first {
      $0.hasPrefix("share/doc/\(name)/LICENSE") || $0.hasPrefix("share/doc/\(name)/COPYING")
    }
    let text = license.flatMap { tree.files[$0] }.map { String(decoding: $0.bytes, as: UTF8.self) }
    let own =
      text.map { "The license of \(name):\n\n\($0)" }
      ?? "Ask the maintainer for the license of \(name)."
    let runtime = String(PackageResources.runtime_copyright_txt, ["name": name])
    return "\(name) is maintained by \(maintainer).\n\n\(own)\n"
      + (bundle.description.hasRuntime ? "\n" + runtime : "")
  }

  /// Suppresses lintian's tags that do not apply to a package which contains its own libraries.
  private var overrides: String {
    let tags = [
      "embedded-library", "custom-library-search-path", "initial-upload-closes-no-bugs",
      "file-missing-in-md5sums",
    ]
    return tags.map { "\(name): \($0)\n" }.joined()
  }
}

// The packages that contain the system libraries that a bundle needs.
extension DebianPackage {
  /// The packages of libraries as in `Depends`, sorted; those of the C and C++ libraries with their
  /// minimum versions.
  ///
  /// - Throws: ``BundleError`` if dpkg knows no package of one.
  static func packages(
    of libraries: [String: Set<String>], environment: [String: String]
  ) throws(BundleError) -> [String] {
    let dpkg = Spawn.find("dpkg", environment: environment)
    var packages: Set<String> = ["libc6"]
    for library in libraries.keys.sorted() {
      guard
        let package = LibraryClosure.base[library]
          ?? dpkg.flatMap({ owner(of: library, $0, environment) })
      else {
        throw BundleError(
          library, .bundleNoPackage,
          dpkg == nil ? "there is no 'dpkg' to find its package" : "no package has it")
      }
      packages.insert(package)
    }
    let symbols = Array(libraries.values.joined())
    var versions: [String: String] = [:]
    versions["libc6"] = newest("GLIBC_", symbols)?.map(String.init).joined(separator: ".")
    versions["libstdc++6"] = newest("GLIBCXX_", symbols).flatMap(libraryVersion)
    return packages.sorted().map { package in
      versions[package].map { "\(package) (>= \($0))" } ?? package
    }
  }

  /// The numbers of the newest symbol version with a prefix, such as those of `GLIBC_2.34`.
  private static func newest(_ prefix: String, _ symbols: [String]) -> [Int]? {
    symbols.filter { $0.hasPrefix(prefix) }.compactMap { symbol in
      let parts = symbol.dropFirst(prefix.count).split(separator: ".")
      let numbers = parts.compactMap { Int($0) }
      return numbers.count == parts.count ? numbers : nil
    }.max { $0.lexicographicallyPrecedes($1) }
  }

  /// The version of GCC whose C++ library first had a symbol version, from that library's manual.
  ///
  /// - Returns: the version, of the last release listed here for later symbols; `nil` for symbols
  ///   that each supported Debian has.
  private static func libraryVersion(_ symbol: [Int]) -> String? {
    let releases = [29: "11", 30: "12", 31: "13.1", 32: "13.2", 33: "14", 34: "15"]
    guard symbol.count == 3, symbol.starts(with: [3, 4]), symbol[2] >= 29 else { return nil }
    return releases[min(symbol[2], 34)]
  }

  /// The package that contains a library, according to `dpkg -S`; `nil` if it is not found.
  private static func owner(
    of library: String, _ dpkg: String, _ environment: [String: String]
  ) -> String? {
    guard let path = LibrarySearch.systemPath(of: library) else { return nil }
    // Since /lib is a link to /usr/lib, dpkg may know the file under either path.
    for path in [path, FilePath.resolved(path)].compactMap({ $0 }) {
      let (end, output, _) = Spawn.run(
        dpkg, ["-S", path], environment: environment.merging(["LC_ALL": "C"]) { $1 })
      if end == .status(0), let name = package(in: output) { return name }
    }
    return nil
  }

  /// The first package in the output of `dpkg -S`, such as `libc6:amd64: /usr/lib/…`.
  static func package(in output: String) -> String? {
    let lines = output.split(separator: "\n").filter {
      !$0.hasPrefix("diversion by ") && !$0.hasPrefix("local diversion ")
    }
    return lines.first?.split(whereSeparator: { ":, ".contains($0) }).first.map(String.init)
  }
}
