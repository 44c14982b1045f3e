/// What a code means, and what to do about it: one paragraph each.
///
/// `docs/problems.md` and `appcore explain` show the same words; a test compares the page, and
/// another looks for codes that have none.
public struct Explanation: Sendable {
  /// What has the code.
  public enum Family: String, CaseIterable, Sendable {
    /// A problem of a manifest, which `appcore check` prints.
    case manifest
    /// A plugin that can't be had.
    case plugin
    /// A line of the shell that is refused.
    case line
    /// A step of the navigation that is refused or dropped.
    case step
  }

  /// The code, in kebab case.
  public let code: String
  /// What has the code.
  public let family: Family
  /// What it means; the first sentence by itself says the most.
  public let meaning: String
  /// What to do about it.
  public let remedy: String

  /// The first sentence of the meaning.
  public var summary: String {
    guard let end = meaning.firstRange(of: ". ") else { return meaning }
    return String(meaning[..<end.lowerBound]) + "."
  }
}

extension Explanation {
  /// All of them, by family and then by code.
  public static let all: [Explanation] = Family.allCases.flatMap { family in
    entries(of: family).map {
      Explanation(code: $0, family: family, meaning: $1, remedy: $2)
    }.sorted { $0.code < $1.code }
  }

  /// What a family's codes mean: code, meaning, remedy.
  package typealias Entry = (code: String, meaning: String, remedy: String)

  private static func entries(of family: Family) -> [Entry] {
    switch family {
    case .manifest: textEntries + grammarEntries + graphEntries + featureEntries
    case .plugin: pluginEntries + buildEntries
    case .line: reloadEntries + lineEntries + linkEntries
    case .step: stepEntries
    }
  }

  /// The explanation of a problem of a manifest.
  static func ofProblem(_ code: String) -> Explanation? {
    all.first { $0.code == code && $0.family == .manifest }
  }
}
