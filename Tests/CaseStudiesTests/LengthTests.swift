import Foundation
import TestSupport
import Testing

/// How long the studies are, compared with those of The Composable Architecture.
@Suite("The length of the case studies")
struct LengthTests {
  /// The lines of TCA's case studies without their views.
  ///
  /// Counted in Examples/CaseStudies/SwiftUICaseStudies of pointfreeco/swift-composable-architecture:
  /// lines that are neither blank nor a comment nor an import, of everything but the text that is
  /// shown to explain the study, types that conform to View or are in an extension for views, and
  /// previews. Lines of a client that is in a file of its own are not counted, here and there.
  static let linesInTCA = [
    "BasicsStudies/Counter.swift": (19, "01-GettingStarted-Counter"),
    "BasicsStudies/TwoCounters.swift": (18, "01-GettingStarted-Composition-TwoCounters"),
    "BasicsStudies/OptionalCounter.swift": (28, "01-GettingStarted-OptionalState"),
    "BasicsStudies/Dialogs.swift": (73, "01-GettingStarted-AlertsAndConfirmationDialogs"),
    "BasicsStudies/Controls.swift": (31, "01-GettingStarted-Bindings-Basics"),
    "BasicsStudies/SignIn.swift": (32, "01-GettingStarted-FocusState"),
  ]

  @Test("A study is at most 1.1 times as long as TCA's, without what draws it")
  func lengths() throws {
    for (path, (limit, name)) in Self.linesInTCA {
      let count = try Self.lineCount(path)
      #expect(Double(count) <= 1.1 * Double(limit), "\(path): \(count), \(name): \(limit)")
    }
  }

  @Test("Every study has a file of its own, and no file is without a study")
  func files() async throws {
    let studies = try await Set(Study.all().map(\.path))
    let folder = packageFolder.appendingPathComponent("Plugins/CaseStudies")
    for path in studies {
      #expect(
        FileManager.default.fileExists(atPath: folder.appendingPathComponent(path).path), "\(path)")
    }
    #expect(Set(Self.linesInTCA.keys).subtracting(studies).isEmpty)
  }

  /// The lines of a file that are neither blank, comments nor imports, nor in a `screen` function.
  static func lineCount(_ path: String) throws -> Int {
    let file = packageFolder.appendingPathComponent("Plugins/CaseStudies/\(path)")
    var count = 0
    var screen: Substring?
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if let indent = screen {
        if line == indent + "}" { screen = nil }
      } else if code.hasPrefix("func screen(") {
        screen = line.prefix { $0 == " " }
      } else if !code.isEmpty, !code.hasPrefix("//"), !code.contains("import ") {
        count += 1
      }
    }
    return count
  }
}
