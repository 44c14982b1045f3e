internal import AppCheck
internal import PluginHost
internal import Support

/// The Debian packages that contain the system libraries that a bundle needs.
struct DebianDependencies {
  /// The packages as in `Depends`, sorted; those of the C and C++ libraries with their minimum
  /// versions.
  let list: [String]

  /// The packages of these libraries, which needn't be looked up with `dpkg`.
  private static let known = [
    "libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6", "libc.so.6": "libc6",
    "libm.so.6": "libc6", "libdl.so.2": "libc6", "libpthread.so.0": "libc6", "librt.so.1": "libc6",
    "libutil.so.1": "libc6", "libresolv.so.2": "libc6", "ld-linux-x86-64.so.2": "libc6",
    "ld-linux-aarch64.so.1": "libc6",
  ]

  /// Finds the packages of libraries.
  ///
  /// - Throws: ``BundleError`` if dpkg knows no package of a library.
  init(
    _ libraries: [String: Set<String>], environment: [String: String]
  ) throws(BundleError) {
    let dpkg = ToolProcess.find("dpkg", environment: environment)
    var packages: Set<String> = ["libc6"]
    for library in libraries.keys.sorted() {
      guard
        let package = Self.known[library]
          ?? dpkg.flatMap({ Self.owner(of: library, $0, environment) })
      else {
        throw BundleError(
          library, .bundleNoPackage,
          dpkg == nil ? "there is no 'dpkg' to find its package" : "no package has it")
      }
      packages.insert(package)
    }
    let symbols = Array(libraries.values.joined())
    var versions: [String: String] = [:]
    versions["libc6"] = Self.newest("GLIBC_", symbols)?.map(String.init).joined(separator: ".")
    versions["libstdc++6"] = Self.newest("GLIBCXX_", symbols).flatMap(Self.libraryVersion)
    list = packages.sorted().map { package in
      versions[package].map { "\(package) (>= \($0))" } ?? package
    }
  }

  /// The numbers of the newest symbol version with a prefix, such as those of `GLIBC_2.34`.
  private static func newest(_ prefix: String, _ symbols: [String]) -> [Int]? {
    let versions = symbols.filter { $0.hasPrefix(prefix) }.map { symbol in
      symbol.dropFirst(prefix.count).split(separator: ".").map { Int($0) }
    }
    return versions.filter { !$0.contains(nil) }.map { $0.compactMap(\.self) }.max {
      $0.lexicographicallyPrecedes($1)
    }
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
    guard let path = SystemLibraries.path(of: library) else { return nil }
    // Since /lib is a link to /usr/lib, dpkg may know the file under either path.
    for path in [path, FilePath.resolved(path)].compactMap({ $0 }) {
      let process = ToolProcess(
        executable: dpkg, arguments: ["-S", path],
        environment: environment.merging(["LC_ALL": "C"]) { $1 })
      let (end, output) = process.run()
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
