import Foundation

/// A way to run programs in a mount namespace where `/etc/appcore` is a copy of another folder.
package enum PolicyNamespace {
  /// The path of the script that runs a program in such a namespace.
  package static let script = packageFolder.appendingPathComponent("scripts/with-policy.sh").path

  /// Whether this system allows such namespaces, and has `ssh-keygen`, which verifies signatures.
  package static func isAllowed() async -> Bool {
    guard FileManager.default.isExecutableFile(atPath: "/usr/bin/ssh-keygen") else { return false }
    let result = try? await Program.run(script, ["/tmp", "true"])
    return result?.status == 0
  }
}
