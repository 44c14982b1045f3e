/// How far a package is installed: the third word of its `Status`.
enum PackageState: UInt8, CaseIterable, Sendable {
  case notInstalled
  case configFiles
  case halfInstalled
  case unpacked
  case halfConfigured
  case triggersAwaited
  case triggersPending
  case installed
  /// A word that dpkg does not define; ``Package/statusWords`` still has it for display.
  case unknown

  /// The word as dpkg writes it.
  var word: String {
    switch self {
    case .notInstalled: "not-installed"
    case .configFiles: "config-files"
    case .halfInstalled: "half-installed"
    case .unpacked: "unpacked"
    case .halfConfigured: "half-configured"
    case .triggersAwaited: "triggers-awaited"
    case .triggersPending: "triggers-pending"
    case .installed: "installed"
    case .unknown: "unknown"
    }
  }

  /// Whether at most configuration files are left of the package.
  var isRemoved: Bool { self == .notInstalled || self == .configFiles }

  /// Whether a package in this state satisfies dependencies of others, by dpkg's rules.
  var satisfiesDependencies: Bool { self == .installed || self == .triggersPending }

  /// Parses the value of a `Status` field.
  init(status value: Range<Int>, in bytes: Bytes) {
    let line = bytes.firstLine(value)
    var start = line.upperBound
    while start > line.lowerBound, !bytes[start - 1].isBlank { start -= 1 }
    let word = start..<line.upperBound
    // By far the most frequent state is checked first: this runs once per stanza.
    if bytes.isFolded(word, equalTo: "installed") {
      self = .installed
    } else {
      self = Self.allCases.first { bytes.isFolded(word, equalTo: $0.word) } ?? .unknown
    }
  }
}
