package import Support

/// The rules of this module; what they mean, and what helps, is in `NavigationRules.md`.
extension Rule {
  private static let catalogue = RuleCatalogue(PackageResources.NavigationRules_md)

  static let unknownLink = catalogue["unknown-link"]
  static let missingLinkParameter = catalogue["missing-parameter"]
  static let unknownLinkParameter = catalogue["unknown-parameter"]
  static let duplicateLinkParameter = catalogue["duplicate-parameter"]
  static let wrongLinkType = catalogue["wrong-type"]
  static let badLink = catalogue["bad-link"]
  static let badPosition = catalogue["bad-position"]

  static let notCurrent = catalogue["not-current"]
  static let maxDepth = catalogue["max-depth"]
  static let unavailable = catalogue["unavailable"]
  package static let noSuchTab = catalogue["no-such-tab"]
  static let tabsCovered = catalogue["tabs-covered"]
  static let atRoot = catalogue["at-root"]
  static let notInModal = catalogue["not-in-modal"]
  static let notOnPath = catalogue["not-on-path"]
  static let wouldEmpty = catalogue["would-empty"]
  package static let stateNotCarried = catalogue["state-not-carried"]

  static let droppedNotification = catalogue["no-receiver"]
  static let gone = catalogue["gone"]
  static let outdated = catalogue["outdated"]
  package static let endless = catalogue["endless"]
  package static let overdue = catalogue["overdue"]
  package static let flood = catalogue["flood"]
  package static let manyBuilds = catalogue["many-builds"]
  package static let unkeptValue = catalogue["unkept-value"]
  package static let invalid = catalogue["invalid"]

  package static let linkRules = catalogue.rules(of: "Links")
  package static let stepRules = catalogue.rules(of: "Steps")
  package static let eventRules = catalogue.rules(of: "Events")
}

extension Rejection {
  /// An instance can't be carried over to another build of its feature.
  package static func stateNotCarried(_ id: InstanceID, node: String, reason: String) -> Rejection {
    Rejection(
      .stateNotCarried, "the state of '\(node)' #\(id) does not fit the new build: \(reason)")
  }
}

extension Rejection {
  static var gone: Rejection { Rejection(.gone, "its instance is gone") }

  static var outdated: Rejection {
    Rejection(.outdated, "it came from a build that has been replaced")
  }
}
