/// A package: a database, and an index in it.
///
/// Copying it costs no more than copying a reference and an integer. Each property is read from
/// the file's bytes on every access, so keep a value that is used more than once.
struct Package: Sendable {
  let database: PackageDatabase
  /// The package's position among all packages, sorted by name.
  let index: Int32

  var record: StanzaRecord { database.records[Int(index)] }

  /// The name, as the file spells it.
  var name: String { text(record.nameRange) }

  /// The architecture; empty if the stanza has none, as a removed package's may.
  var architecture: String { field("Architecture") ?? "" }

  /// The name as dpkg shows it: `libc6:amd64` for a foreign architecture or `Multi-Arch: same`.
  var displayName: String {
    let number = record.architecture
    let isForeign =
      number != 0 && number != database.nativeArchitecture && number != database.allArchitecture
    return isForeign || multiArch == "same" ? qualifiedName : name
  }

  /// The name with the architecture, which is unique in the database.
  var qualifiedName: String { record.architecture == 0 ? name : "\(name):\(architecture)" }

  /// The version; empty if the stanza has none.
  var version: String { field("Version") ?? "" }

  var section: String? { field("Section") }
  var priority: String? { field("Priority") }
  var maintainer: String? { field("Maintainer") }
  var homepage: String? { field("Homepage") }
  var multiArch: String? { field("Multi-Arch") }

  /// Whether the package is marked as essential to the system.
  var isEssential: Bool { field("Essential") == "yes" }

  /// The size of the installed files in KiB, as stated in the file.
  var installedSize: Int? { field("Installed-Size").flatMap { Int($0) } }

  /// The name of the source package, without its version; by default the package's own name.
  var source: String {
    guard let source = field("Source") else { return name }
    return source.split(separator: " ", maxSplits: 1).first.map { String($0) } ?? name
  }

  /// How far the package is installed.
  var state: PackageState { record.state }

  /// Whether the package is installed: the last word of its status is `installed`.
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

  /// The first line of a field's value, trimmed; `nil` if it is empty or there is no such field.
  ///
  /// The name's ASCII case is ignored.
  ///
  /// - Complexity: O(*n*), where *n* is the size of the stanza in bytes.
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
  /// The qualified name, which identifies the package in a database that is loaded later, too.
  var id: String { qualifiedName }

  static func == (left: Package, right: Package) -> Bool {
    left.index == right.index && left.database === right.database
  }

  func hash(into hasher: inout Hasher) {
    hasher.combine(index)
    hasher.combine(ObjectIdentifier(database))
  }
}
