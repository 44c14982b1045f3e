/// A field that the parser interprets; it only checks the syntax of all others.
///
/// A raw value is the field's number in the parser's table of field names, to which these fields
/// are added first.
enum ControlField: Int32, CaseIterable {
  case package
  case status
  case architecture
  case preDepends
  case depends
  case recommends
  case suggests
  case provides
  case description

  /// The field's name as Debian spells it.
  var name: String {
    switch self {
    case .package: "Package"
    case .status: "Status"
    case .architecture: "Architecture"
    case .preDepends: "Pre-Depends"
    case .depends: "Depends"
    case .recommends: "Recommends"
    case .suggests: "Suggests"
    case .provides: "Provides"
    case .description: "Description"
    }
  }
}
