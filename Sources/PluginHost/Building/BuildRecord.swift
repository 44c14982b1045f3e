internal import Glibc
internal import Support

/// The inputs that a library was built from, in a file beside it: as long as they are the same, the
/// library is up to date.
struct BuildRecord {
  /// The inputs, one per line, in a fixed order.
  private(set) var lines: [String] = ["appcore-build 1"]

  private static let compiler = "compiler "
  private static let library = "output "

  mutating func add(_ key: String, _ value: String) {
    // A path may contain a line break, but each input is one line.
    lines.append("\(key) \(value.replacing("\n", with: "\\n"))")
  }

  mutating func add(_ compiler: SwiftCompiler, version: String) {
    add("compiler", "\(compiler.identity) \(version)")
  }

  /// The file of a library's record.
  static func path(of library: String) -> String { library + ".build" }

  /// The version of the compiler that built a library; `nil` if that may not be the given one.
  static func version(of compiler: SwiftCompiler, for library: String) -> String? {
    guard compiler.isItself else { return nil }
    let head = "\(Self.compiler)\(compiler.identity) "
    let line = read(library)?.first { $0.hasPrefix(head) }
    return line.map { String($0.dropFirst(head.count)) }
  }

  /// Whether a library was built from these inputs and has not changed since.
  ///
  /// Without a compiler, the one that built the library is ignored.
  func describes(_ library: String, hasCompiler: Bool) -> Bool {
    guard var recorded = Self.read(library), let identity = fileIdentity(library),
      recorded.popLast() == Self.library + identity
    else { return false }
    if !hasCompiler { recorded.removeAll { $0.hasPrefix(Self.compiler) } }
    return recorded == lines
  }

  /// Writes the record of a library that was just built.
  func write(for library: String) throws(Rejection) {
    guard let identity = fileIdentity(library) else {
      throw .fileRefused(path: library, error: errno)
    }
    let text = (lines + [Self.library + identity]).joined(separator: "\n")
    let path = Self.path(of: library)
    do {
      try WholeFile.write(text, to: path)
    } catch {
      throw .fileRefused(path: path, error: error.code)
    }
  }

  private static func read(_ library: String) -> [String]? {
    guard let bytes = try? WholeFile.read(path(of: library)) else { return nil }
    return String(decoding: bytes, as: UTF8.self)
      .split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
  }
}
