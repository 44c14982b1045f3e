package import Foundation

/// The checkout that this test was built from.
package let packageFolder = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

/// The folder of the running test program, where the build put `appcore` and the plugins.
package let buildFolder = URL(
  fileURLWithPath: (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"))
    ?? CommandLine.arguments[0]
).deletingLastPathComponent()
