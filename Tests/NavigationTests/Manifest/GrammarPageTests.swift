import Foundation
import TestSupport
import Testing

@testable import Manifest

/// What docs/manifest.md explains is all that a manifest may contain.
@Suite("The page on the manifest")
struct GrammarPageTests {
  /// The lines of the page.
  private let lines: [Substring]

  init() throws {
    let file = packageFolder.appending(path: "docs/manifest.md")
    lines = try String(contentsOf: file, encoding: .utf8).split(
      separator: "\n", omittingEmptySubsequences: false)
  }

  /// What the tables under a heading begin their rows with: each first word in code, with the row's
  /// other cells.
  private func rows(under heading: String) -> [(key: Substring, meaning: Substring)] {
    let section = lines.drop { $0 != "## \(heading)" }.dropFirst().prefix { !$0.hasPrefix("## ") }
    return section.compactMap { line in
      guard let row = line.wholeMatch(of: /\| `([A-Za-z]+)[^`]*` \| (.+) \|/) else { return nil }
      return (row.1, row.2)
    }
  }

  /// The sections that explain the keys of a place.
  private static let sections = [
    "the manifest": ["Top-level keys"], "what the app needs": ["Requirements"],
    "the session": ["Session"], "the theme": ["Theme"], "a variable": ["Variables"],
    "a plugin": ["Plugins"],
    "a node": ["Nodes"], "a use of a node": ["Nodes"], "a route": ["Routes", "Verbs"],
    "a step": ["Verbs"], "a link": ["Links"],
  ]

  @Test("Every key of the grammar has its row", arguments: Grammar.all.map(\.place))
  func keys(place: String) throws {
    let grammar = try #require(Grammar.all.first { $0.place == place })
    let sections = try #require(Self.sections[place], "no section explains \(place)")
    let rows = sections.flatMap { self.rows(under: $0) }
    for key in grammar.keywords.map(\.rawValue) {
      #expect(rows.contains { $0.key == key }, "'\(key)' of \(place) has no row")
    }
  }

  @Test("Every verb has its row, and every option names the verbs it goes with")
  func verbs() {
    let rows = rows(under: "Verbs")
    for verb in Verb.allCases {
      #expect(rows.contains { $0.key == verb.rawValue }, "'\(verb.rawValue)' has no row")
      for option in verb.options.map(\.rawValue) {
        #expect(
          rows.contains { $0.key == option && $0.meaning.contains("`\(verb.rawValue)`") },
          "the row of '\(option)' does not name '\(verb.rawValue)'")
      }
    }
  }

  @Test("Every word that is not a name has its place")
  func words() {
    let receivers = rows(under: "Verbs")
    for word in Grammar.receivers {
      #expect(receivers.contains { $0.key == word }, "'\(word)' has no row")
    }
    let values =
      Manifest.Step.CoveredPolicy.allCases.map(\.rawValue)
      + Manifest.Plugin.Loading.allCases.map(\.rawValue) + Grammar.reserved.sorted()
    for word in values {
      #expect(lines.contains { $0.contains("`\(word)") }, "'\(word)' is not explained")
    }
  }
}
