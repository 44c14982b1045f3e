internal import PluginHost
internal import Support

/// The Debian packages that contain the system libraries that a bundle needs.
struct DebianDependencies {
  /// The packages as in `Depends`, sorted; that of the C library with its minimum version.
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
    let versions = libraries.values.joined().compactMap(Self.version).max {
      $0.lexicographicallyPrecedes($1)
    }
    list = packages.sorted().map { package in
      guard package == "libc6", let versions else { return package }
      return "libc6 (>= \(versions.map(String.init).joined(separator: ".")))"
    }
  }

  /// The numbers of a symbol version such as `GLIBC_2.34`; `nil` for other libraries' versions.
  private static func version(_ symbol: String) -> [Int]? {
    guard symbol.hasPrefix("GLIBC_") else { return nil }
    let numbers = symbol.dropFirst(6).split(separator: ".").map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
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
