internal import PluginHost
internal import Support

/// The Debian packages that contain the system libraries that a bundle needs.
struct DebianDependencies {
  /// The packages as in `Depends`, sorted; those of the C and C++ libraries with their minimum
  /// versions.
  let list: [String]

  /// The packages of these libraries, which needn't be looked up with `dpkg`.
  private static let known = [
    "libgcc_s.so.1": "libgcc-s1", "libstdc++.so.6": "libstdc++6",
  ]

  init(_ libraries: [String: Set<String>], environment: [String: String]) {
    let dpkg = ToolProcess.find("dpkg", environment: environment)
    var packages: Set<String> = []
    for library in libraries.keys {
      packages.insert(
        Self.known[library] ?? dpkg.flatMap { Self.owner(of: library, $0, environment) } ?? "libc6")
    }
    packages.insert("libc6")
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
        executable: dpkg, arguments: ["-S", path], environment: environment)
      let (end, output) = process.run()
      if end == .status(0), let name = output.split(whereSeparator: { ":, \n".contains($0) }).first
      {
        return String(name)
      }
    }
    return nil
  }
}
