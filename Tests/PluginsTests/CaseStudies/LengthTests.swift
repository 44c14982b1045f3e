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
  static let linesInTCA: [(path: String, count: Int, name: String)] = [
    ("BasicsStudies/Counter.swift", 19, "01-GettingStarted-Counter"),
    ("BasicsStudies/TwoCounters.swift", 18, "01-GettingStarted-Composition-TwoCounters"),
    ("BasicsStudies/OptionalCounter.swift", 28, "01-GettingStarted-OptionalState"),
    ("BasicsStudies/Dialogs.swift", 73, "01-GettingStarted-AlertsAndConfirmationDialogs"),
    ("BasicsStudies/Controls.swift", 31, "01-GettingStarted-Bindings-Basics"),
    ("BasicsStudies/Form.swift", 27, "01-GettingStarted-Bindings-Forms"),
    ("BasicsStudies/SignIn.swift", 32, "01-GettingStarted-FocusState"),
    ("EffectsStudies/Facts.swift", 59, "03-Effects-Basics"),
    ("EffectsStudies/Cancellation.swift", 45, "03-Effects-Cancellation"),
    ("EffectsStudies/Timers.swift", 36, "03-Effects-Timers"),
    ("EffectsStudies/LongLiving.swift", 42, "03-Effects-LongLiving"),
    ("EffectsStudies/Refreshing.swift", 45, "03-Effects-Refreshable"),
    ("EffectsStudies/Socket.swift", 107, "03-Effects-WebSocket"),
    ("NavigationStudies/Stack.swift", 177, "04-NavigationStack"),
    ("NavigationStudies/LoadThenPresent.swift", 35, "04-Navigation-Sheet-LoadThenPresent"),
    ("NavigationStudies/PresentAndLoad.swift", 40, "04-Navigation-Sheet-PresentAndLoad"),
    ("NavigationStudies/NavigateAndLoad.swift", 53, "04-Navigation-Lists-NavigateAndLoad"),
    ("NavigationStudies/MultipleDestinations.swift", 58, "04-Navigation-Multiple-Destinations"),
    ("SharingStudies/InMemory.swift", 103, "02-SharedState-InMemory"),
    ("SharingStudies/FileStorage.swift", 119, "02-SharedState-FileStorage"),
    ("SharingStudies/Settings.swift", 105, "02-SharedState-UserDefaults"),
    ("SharingStudies/Readers.swift", 84, "02-SharedState-Notifications"),
    ("SharingStudies/SignUp.swift", 191, "02-SharedState-Onboarding"),
    ("HigherOrderStudies/Recursion.swift", 42, "05-HigherOrderReducers-Recursion"),
    ("HigherOrderStudies/Favorites.swift", 104, "05-HigherOrderReducers-ReusableFavoriting"),
    ("HigherOrderStudies/Downloads.swift", 166, "05-HigherOrderReducers-ResuableOfflineDownloads"),
  ]

  @Test("A study is at most 1.1 times as long as TCA's, without its screen and its restoring")
  func lengths() throws {
    for (path, limit, name) in Self.linesInTCA {
      let count = try Self.lineCount(path)
      #expect(Double(count) <= 1.1 * Double(limit), "\(path): \(count), \(name): \(limit)")
    }
  }

  /// Studies of what TCA has none of.
  static let others: Set = [
    "BasicsStudies/Browsing.swift", "BasicsStudies/Columns.swift", "BasicsStudies/Dates.swift",
    "BasicsStudies/Elements.swift", "BasicsStudies/Selecting.swift",
    "NavigationStudies/Routes.swift",
  ]

  @Test("Every study is compared, or is one that TCA has not")
  func completeness() async throws {
    let studies = try await Study.all()
    for study in studies { #expect(study.path != nil, "\(study.feature) has no file") }
    #expect(Set(studies.compactMap(\.path)) == Self.others.union(Self.linesInTCA.map(\.path)))
  }

  /// The lines of a file that are neither blank, comments nor imports, nor in a `screen` or a
  /// `didRestore` function: apps of TCA are not restored.
  static func lineCount(_ path: String) throws -> Int {
    let file = packageFolder.appendingPathComponent("Plugins/CaseStudies/\(path)")
    var count = 0
    var screen: Substring?
    for line in try String(contentsOf: file, encoding: .utf8).split(separator: "\n") {
      let code = line.drop { $0 == " " }
      if let indent = screen {
        if line == indent + "}" { screen = nil }
      } else if code.hasPrefix("func screen(") || code.hasPrefix("static func screen(")
        || code.hasPrefix("func didRestore(")
      {
        screen = line.prefix { $0 == " " }
      } else if !code.isEmpty, !code.hasPrefix("//"), !code.contains("import ") {
        count += 1
      }
    }
    return count
  }
}
