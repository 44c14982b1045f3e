import AppCore
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
}
