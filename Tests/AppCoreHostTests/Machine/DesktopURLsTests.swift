import AppCore
import Foundation
import Testing

@testable import AppCoreHost

@Suite("URLs, on the desktop")
struct DesktopURLsTests {
  @Test(
    "A URL without a scheme is refused before any program runs",
    arguments: ["--help", "/etc/passwd", "", "1x:y", "a b:c", "x\0:y"])
  func refused(text: String) async {
    await #expect(throws: OpenURLError(url: text, reason: "it has no scheme, as 'https:'")) {
      try await DesktopURLs.open(text)
    }
  }

  @Test("xdg-open is given the URL alone; that it fails, or is not there, is the reason")
  func opened() async {
    await #expect(processExitsWith: .success) {
      let folder = NSTemporaryDirectory() + "appcore-xdg-open-\(UUID().uuidString)"
      defer { try? FileManager.default.removeItem(atPath: folder) }
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      let program = folder + "/xdg-open"
      // What it prints goes nowhere.
      try #"""
      #!/bin/sh
      echo printed; echo printed >&2
      [ "$#-$1" = 1-https://a.b ] || exit 3

      """#.write(toFile: program, atomically: true, encoding: .utf8)
      try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program)
      setenv("PATH", folder, 1)
      try await DesktopURLs.open("https://a.b")
      await #expect(
        throws: OpenURLError(url: "x:y", reason: "'xdg-open' ended with status 3")
      ) { try await DesktopURLs.open("x:y") }
      setenv("PATH", "/nowhere", 1)
      await #expect(
        throws: OpenURLError(
          url: "x:y", reason: "there is no program 'xdg-open'; install 'xdg-utils'")
      ) { try await DesktopURLs.open("x:y") }
    }
  }
}
