/// The language and the region to use for texts: `locale.language`.
///
/// It has the most commonly used part of Foundation's `Locale`, without Foundation, which costs
/// 12 ms at each start.
public struct AppLocale: Hashable, Sendable {
  /// The language and, if known, the region, as in `de_AT`.
  public let identifier: String

  /// Creates a locale.
  ///
  /// - Parameter identifier: as in `de_AT`, or as in an environment variable: `de_AT.UTF-8@euro`.
  ///   `C`, `POSIX` and an empty identifier mean `en_US_POSIX`.
  public init(identifier: String) {
    let name = identifier.prefix { $0 != "." && $0 != "@" }
    self.identifier =
      ["", "C", "POSIX"].contains(name) ? "en_US_POSIX" : String(name.map { $0 == "-" ? "_" : $0 })
  }

  /// The language code, as in `de`.
  public var language: String { String(identifier.prefix { $0 != "_" }) }

  /// The region code, as in `AT`; `nil` if the identifier has none.
  public var region: String? {
    let parts: [Substring] = identifier.split(separator: "_")
    let region = parts.dropFirst().first { part in
      part.count == 2 && part.allSatisfy(\.isUppercase)
        || part.count == 3 && part.allSatisfy(\.isNumber)
    }
    return region.map { String($0) }
  }

  /// Creates the locale of an environment: the first of `LC_ALL`, `LC_MESSAGES` and `LANG` that is
  /// not empty.
  public init(environment: EnvironmentVariables) {
    let value = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy
      .compactMap { environment[$0] }.first { !$0.isEmpty }
    self.init(identifier: value ?? "")
  }
}

extension AppLocale: CustomStringConvertible {
  public var description: String { identifier }
}

extension DependencyValues {
  /// The locale of the process's environment.
  ///
  /// ```swift
  /// func greeting() -> String {
  ///   @Dependency(\.locale) var locale
  ///   return locale.language == "de" ? "Guten Tag" : "Hello"
  /// }
  ///
  /// // In a test:
  /// let text = withDependencies {
  ///   $0.locale = AppLocale(identifier: "de_AT")
  /// } operation: {
  ///   greeting()
  /// }
  /// ```
  public var locale: AppLocale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }
}

private enum LocaleKey: DependencyKey {
  static let liveValue = AppLocale(environment: .process)
}
