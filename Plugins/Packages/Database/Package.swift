/// One package: a database and an index in it.
///
/// It is as light as an integer and a reference; each property is read from the file's bytes when
/// it is asked for, so ask once and keep the answer.
struct Package: Sendable {
  let database: PackageDatabase
  /// The package's place among all, sorted by name.
  let index: Int32

  var record: StanzaRecord { database.records[Int(index)] }

  /// The name, as the file spells it.
  var name: String { text(record.nameRange) }

  /// The architecture; empty if the stanza has none, as those of removed packages may.
  var architecture: String { field("Architecture") ?? "" }

  /// The name as dpkg shows it: `libc6:amd64` where one name may stand several times.
  var displayName: String {
    let number = record.architecture
    let isForeign =
      number != 0 && number != database.nativeArchitecture && number != database.allArchitecture
    return isForeign || multiArch == "same" ? qualifiedName : name
  }

  /// The name with the architecture; no other package of the database has the same.
  var qualifiedName: String { record.architecture == 0 ? name : "\(name):\(architecture)" }

  /// The version; empty if the stanza has none.
  var version: String { field("Version") ?? "" }

  var section: String? { field("Section") }
  var priority: String? { field("Priority") }
  var maintainer: String? { field("Maintainer") }
  var homepage: String? { field("Homepage") }
  var multiArch: String? { field("Multi-Arch") }

  /// Whether the system is said not to work without it.
  var isEssential: Bool { field("Essential") == "yes" }

  /// How much the installed files take, in KiB, as the file states it.
  var installedSize: Int? { field("Installed-Size").flatMap { Int($0) } }

  /// The name of the source package, without its version: its own name unless told otherwise.
  var source: String {
    guard let source = field("Source") else { return name }
    return source.split(separator: " ", maxSplits: 1).first.map { String($0) } ?? name
  }

  /// How far the package is installed.
  var state: PackageState { record.state }

  /// Whether the package is installed: whether the last word of its status is `installed`.
  var isInstalled: Bool { record.state == .installed }

  /// The words of the status, such as `install`, `ok`, `installed`; empty if there is none.
  var statusWords: [String] {
    (field("Status") ?? "").split(separator: " ").map { String($0) }
  }

  /// The first line of the description; empty if there is none.
  var summary: String { text(record.summaryRange) }

  /// The description, with its long text in paragraphs.
  var description: PackageDescription {
    withValue(of: "Description") { PackageDescription($0, $1) } ?? PackageDescription()
  }

  /// The first line of any field's value, trimmed; nil if the stanza has no such field, or an
  /// empty one.
  ///
  /// ASCII case of the name does not matter.
  ///
  /// - Complexity: O(bytes of the stanza).
  func field(_ name: String) -> String? {
    withValue(of: name) { bytes, value in
      let line = bytes.firstLine(value)
      return line.isEmpty ? nil : bytes.text(line)
    } ?? nil
  }

  private func text(_ range: Range<Int>) -> String {
    database.bytes.withUnsafeBufferPointer { $0.text(range) }
  }
}

extension Package: Hashable, Identifiable {
  /// What tells the package from others, also in a database that is loaded later.
  var id: String { qualifiedName }

  static func == (left: Package, right: Package) -> Bool {
    left.index == right.index && left.database === right.database
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(ObjectIdentifier(database))
  }
}
