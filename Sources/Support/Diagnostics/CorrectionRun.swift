/// Applies the certain corrections of a text until none is left, in memory.
///
/// One correction may uncover the next mistake. A correction after which its problem is still there,
/// or that breaks what was whole, is not kept: so it always ends, and a second run changes nothing.
public struct CorrectionRun {
  /// The problems of some files, and whether all of the files could be parsed.
  public typealias CheckedFiles = (problems: [Diagnostic], sources: SourceMap, isWhole: Bool)

  /// A correction that was made.
  public struct Step {
    public let problem: Diagnostic
    public let edit: TextEdit
    public let path: String
    /// The path with line and column, in the text as it was then.
    public let place: String
  }

  /// The corrections that were made, in order.
  public private(set) var steps: [Step] = []
  /// The new texts of the files that have changed, by path.
  public private(set) var contents: [String: [UInt8]] = [:]
  private var state: CheckedFiles
  private let check: ([String: [UInt8]]) -> CheckedFiles
  /// The corrections that were not kept.
  private var rejected: Set<String> = []
  /// The texts that there have been.
  private var seen: Set<[String: [UInt8]]> = [[:]]
  /// The number of times that the files may be checked.
  private var budget = 1_000

  /// Corrects some files, which `check` checks, with other contents for some paths.
  public init(_ check: @escaping ([String: [UInt8]]) -> CheckedFiles) {
    self.check = check
    state = check([:])
    var count = -1
    // What was not kept may be right after other corrections.
    while steps.count > count {
      count = steps.count
      rejected = []
      while applyAll() {}
    }
  }

  private typealias Candidate = (problem: Diagnostic, edits: [TextEdit])

  /// Applies all corrections at once or, where that goes wrong, one; whether there may be more.
  private mutating func applyAll() -> Bool {
    let candidates: [Candidate] = state.problems.filter {
      $0.correction?.isCertain ?? false && !rejected.contains(key($0))
    }
    .map { ($0, state.sources.edits(of: $0)) }.filter { !$0.1.isEmpty }
    guard !candidates.isEmpty, budget > 0 else { return false }
    if apply(candidates) { return true }
    for candidate in candidates where budget > 0 {
      if candidates.count > 1, apply([candidate]) { return true }
      rejected.insert(key(candidate.problem))
    }
    return false
  }

  private mutating func apply(_ candidates: [Candidate]) -> Bool {
    let edits = candidates.flatMap(\.edits)
    var next = contents
    var made: Set<TextEdit> = []
    for file in Set(edits.map(\.range.file)) {
      let result = state.sources.text(ofFile: file, with: edits)
      next[state.sources.files[file].path] = result.bytes
      made.formUnion(result.made)
    }
    guard !seen.contains(next) else { return false }
    budget -= 1
    let after = check(next)
    let applied = candidates.filter { $0.edits.allSatisfy(made.contains) }
    guard !applied.isEmpty, isProgress(to: after, by: applied) else { return false }
    for (problem, edits) in applied {
      steps += edits.map {
        Step(
          problem: problem, edit: $0, path: state.sources.path(of: $0.range),
          place: state.sources.description(of: $0.range))
      }
    }
    contents = next
    seen.insert(next)
    state = after
    return true
  }

  /// Whether the corrected problems are gone, and nothing is wrong that could have been seen before.
  private func isProgress(to after: CheckedFiles, by applied: [Candidate]) -> Bool {
    if state.isWhole, !after.isWhole { return false }
    var counts: [String: Int] = [:]
    for problem in after.problems { counts[key(problem), default: 0] += 1 }
    for problem in state.problems { counts[key(problem), default: 0] -= 1 }
    for (problem, edits) in applied where state.isWhole || !after.isWhole {
      // The same problem may be met again further on, if it ends the parsing.
      let hasMoved =
        !state.isWhole
        && after.problems.allSatisfy { other in
          key(other) != key(problem)
            || edits.allSatisfy {
              $0.range.file != other.range.file || $0.range.end < other.range.start
            }
        }
      guard hasMoved || counts[key(problem), default: 0] < 0 else { return false }
    }
    // The new name of a plugin may be as unavailable as the old one.
    let unavailable = "plugin-unavailable"
    let renamed = applied.count { $0.problem.code == unavailable }
    let left = after.problems.count { $0.code == unavailable }
    let before = state.problems.count { $0.code == unavailable }
    guard renamed == 0 || left + renamed <= before else { return false }
    let hides = !state.isWhole || applied.contains { $0.problem.mayHideOthers }
    return hides || !counts.values.contains { $0 > 0 }
  }

  /// A problem without its place, which other corrections move.
  private func key(_ problem: Diagnostic) -> String { "\(problem.code) \(problem.message)" }
}

extension Diagnostic {
  /// Whether something can't be checked because of it: what it leaves out, or what a name stands for.
  fileprivate var mayHideOthers: Bool {
    leavesGap || code.hasPrefix("unknown-")
      || ["plugin-unavailable", "superfluous-field", "text-for-reference"].contains(code)
  }
}
