/// The texts of reasons why an instance is made anew or dropped.
enum Reason {
  static let nowhere = "the image does not say where it stood"
  static let taken = "another one has taken its place"
  static let noTabs = "none of its tabs can be shown"
  static let noBackground = "the manifest does not name it under 'background' any more"

  static func otherVersion(_ former: String, _ version: String?) -> String {
    "whether \(version ?? "its plugin") can read the state that \(former) has written is known only "
      + "when its code is run"
  }

  static func noNode(_ name: String) -> String {
    "the manifest has no node '\(name)'; where it was renamed, 'was: \(name)' says so"
  }

  static func maxDepth(_ node: String, _ limit: Int) -> String {
    "the stack already holds \(limit) '\(node)' (its maxDepth)"
  }

  static func containers(_ limit: Int) -> String { "containers nest deeper than \(limit)" }

  static func isContainer(_ node: String) -> String { "'\(node)' is a container now" }

  static func wasContainer(_ node: String) -> String { "'\(node)' was a container" }

  static func otherFeature(_ feature: String, _ former: String?) -> String {
    "its node shows '\(feature)' now" + (former.map { ", and showed '\($0)'" } ?? "")
  }

  static func notEncodable(_ reason: String) -> String { "its state could not be saved: \(reason)" }

  static func noTab(_ tab: String, in container: String) -> String {
    "'\(container)' has no tab '\(tab)' any more"
  }

  static func stoodOn(_ node: String) -> String {
    "it stood on '\(node)', which does not come back"
  }
}
