internal import AppCheck
internal import AppCoreHost
import Foundation
import TestSupport

/// Where things lie: the checkout, and the folder of the build that this test belongs to.
enum Project {
  /// The checkout.
  static let root = packageFolder.path

  /// The folder of the running test, which is where the build put plugins and `appcore`.
  static let build = buildFolder.path

  static func path(_ name: String) -> String { root + "/" + name }

  static func text(_ name: String) throws -> String {
    try String(contentsOfFile: path(name), encoding: .utf8)
  }

  /// What an app of the packages plugin is given to read the small database.
  static var smallDatabase: AppOptions {
    var options = AppOptions()
    options.settings["status"] = path("Tests/Fixtures/dpkg/status")
    return options
  }
}
