/// The language and the region to use for texts: `locale.language`.
public struct AppLocale: Hashable, Sendable {
  /// The language and, if known, the region, as in `de_AT`.
  public let identifier: String

  /// Creates a locale from an identifier as in `de_AT`, or as in an environment variable,
  /// `de_AT.UTF-8@euro`; `C`, `POSIX` and an empty one mean `en_US_POSIX`.
  public init(identifier: String) {
    let name = identifier.prefix { $0 != "." && $0 != "@" }
    self.identifier =
      ["", "C", "POSIX"].contains(name) ? "en_US_POSIX" : String(name.map { $0 == "-" ? "_" : $0 })
  }

  /// The language code, as in `de`.
  public var language: String { String(identifier.prefix { $0 != "_" }) }

  /// The region code, as in `AT`; `nil` if the identifier has none.
  public var region: String? {
    identifier.split(separator: "_").dropFirst().map(String.init).first { part in
      part.count == 2 && part.allSatisfy(\.isUppercase)
        || part.count == 3 && part.allSatisfy(\.isNumber)
    }
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
  /// The locale of the process's environment; in a test, as in
  /// `$0.locale = AppLocale(identifier: "de_AT")`.
  public var locale: AppLocale {
    get { self[LocaleKey.self] }
    set { self[LocaleKey.self] = newValue }
  }
}

private enum LocaleKey: DependencyKey {
  static let liveValue = AppLocale(environment: .process)
}
