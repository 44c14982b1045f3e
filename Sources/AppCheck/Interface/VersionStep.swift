/// The part of a version that has to be raised, by Semantic Versioning.
public enum VersionStep: String, Hashable, Sendable {
  case patch
  case minor
  case major

  public init(for differences: [InterfaceDifference]) {
    self =
      differences.contains { $0.breaks != nil } ? .major : differences.isEmpty ? .patch : .minor
  }

  /// The version one step after `version`; `nil` if that is not three numbers.
  ///
  /// Before `1.0.0` a breaking change raises the second number, and any other change the third.
  public func next(after version: String) -> String? {
    guard let numbers = Self.numbers(of: version) else { return nil }
    let (major, minor, patch) = numbers
    return switch (self, major) {
    case (.major, 1...): "\(major + 1).0.0"
    case (.minor, 1...), (.major, _): "\(major).\(minor + 1).0"
    default: "\(major).\(minor).\(patch + 1)"
    }
  }

  /// Whether the step from one version to another is at least this one; `nil` if one of them is not
  /// three numbers.
  public func isSaid(by new: String, after old: String) -> Bool? {
    guard let due = next(after: old).flatMap(Self.numbers), let given = Self.numbers(of: new) else {
      return nil
    }
    return given >= due
  }

  private static func numbers(of version: String) -> (Int, Int, Int)? {
    let parts = version.split(separator: ".", omittingEmptySubsequences: false)
    let numbers = parts.compactMap { part in
      part.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(part) : nil
    }
    // So that adding one never overflows.
    guard numbers.count == 3, parts.count == 3, numbers.allSatisfy({ $0 < 1 << 32 }) else {
      return nil
    }
    return (numbers[0], numbers[1], numbers[2])
  }
}
