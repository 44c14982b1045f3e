internal import PluginHost
internal import Support

/// The packages that have the libraries which a bundle needs of its machine.
struct DebianDependencies {
  /// The packages, with the least version of the C library, sorted.
  let list: [String]

  /// The packages of Debian, where this machine does not have dpkg.
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

  /// The numbers of `GLIBC_2.34`.
  private static func version(_ symbol: String) -> [Int]? {
    guard symbol.hasPrefix("GLIBC_") else { return nil }
    let numbers = symbol.dropFirst(6).split(separator: ".").map { Int($0) }
    return numbers.contains(nil) ? nil : numbers.compactMap { $0 }
  }

  /// The package that a library belongs to, as `dpkg -S` says.
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
