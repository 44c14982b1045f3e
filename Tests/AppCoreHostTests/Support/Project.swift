internal import AppCheck
internal import AppCoreHost
import Foundation

/// Where things lie: the checkout, and the folder of the build that this test belongs to.
enum Project {
  /// The checkout.
  static let root: String = {
    var path = URL(fileURLWithPath: #filePath)
    for _ in 0..<4 { path.deleteLastPathComponent() }
    return path.path
  }()

  /// The folder of the running test, which is where the build put plugins and `appcore`.
  static let build: String = {
    let link = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    return ((link ?? "") as NSString).deletingLastPathComponent
  }()

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
