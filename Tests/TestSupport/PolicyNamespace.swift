import Foundation

/// Programs that are run where `/etc/appcore` is a folder of a test.
package enum PolicyNamespace {
  /// The script that runs them, in a mount namespace.
  package static let script = packageFolder.appendingPathComponent("scripts/with-policy.sh").path

  /// Whether this system has such namespaces, and the program that verifies signatures.
  package static func isAllowed() async -> Bool {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen") else { return false }
    let result = try? await Program.run(script, ["/tmp", "true"])
    return result?.status == 0
  }
}
