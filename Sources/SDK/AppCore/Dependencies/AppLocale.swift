/// The language and the region that texts are meant for: `locale.language`.
///
/// It is what Foundation's `Locale` is asked for most often, without Foundation, which costs 12 ms at
/// each start.
public struct AppLocale: Hashable, Sendable {
  /// The language and, where it is known, the region, as in `de_AT`.
  public let identifier: String

  /// A locale.
  ///
  /// - Parameter identifier: as in `de_AT`, or as in a variable of the environment:
  ///   `de_AT.UTF-8@euro`. `C`, `POSIX` and an empty one are `en_US_POSIX`.
  public init(identifier: String) {
    let name = identifier.prefix { $0 != "." && $0 != "@" }
    self.identifier =
      ["", "C", "POSIX"].contains(name) ? "en_US_POSIX" : String(name.map { $0 == "-" ? "_" : $0 })
  }

  /// The code of the language, as in `de`.
  public var language: String { String(identifier.prefix { $0 != "_" }) }

  /// The code of the region, as in `AT`; `nil` if the identifier has none.
  public var region: String? {
    let parts: [Substring] = identifier.split(separator: "_")
    let region = parts.dropFirst().first { part in
      part.count == 2 && part.allSatisfy(\.isUppercase)
        || part.count == 3 && part.allSatisfy(\.isNumber)
    }
    return region.map { String($0) }
  }

  /// The locale that an environment asks for, by `LC_ALL`, `LC_MESSAGES` or `LANG`.
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
  /// The language and the region that the process is set to.
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
