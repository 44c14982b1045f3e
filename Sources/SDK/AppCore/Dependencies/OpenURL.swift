/// Opens a URL in the system's default program for it: `try await openURL("https://…")`.
public struct OpenURL: Sendable {
  private let handler: @Sendable (_ url: String) async throws(OpenURLError) -> Void

  /// Creates a value that opens URLs with `handler`.
  public init(_ handler: @escaping @Sendable (_ url: String) async throws(OpenURLError) -> Void) {
    self.handler = handler
  }

  /// Opens `url`.
  ///
  /// - Throws: an error that names the URL and why it could not be opened.
  public func callAsFunction(_ url: String) async throws(OpenURLError) { try await handler(url) }

  /// The host's implementation, set before the first feature runs; `nil` in a process without a host.
  @_spi(Host) public static let live = Guarded<OpenURL?>(nil)
}

/// Why a URL could not be opened.
public struct OpenURLError: Error, Hashable, Sendable, CustomStringConvertible {
  public let url: String
  /// Why it could not be opened.
  public let reason: String

  public init(url: String, reason: String) {
    self.url = url
    self.reason = reason
  }

  public var description: String { "can't open '\(url)': \(reason)" }
}

extension DependencyValues {
  /// Opens URLs.
  public var openURL: OpenURL {
    get { self[OpenURLKey.self] }
    set { self[OpenURLKey.self] = newValue }
  }
}

private enum OpenURLKey: DependencyKey {
  static var liveValue: OpenURL {
    OpenURL.live.value
      ?? OpenURL { url async throws(OpenURLError) in
        throw OpenURLError(url: url, reason: "no host opens URLs for this process")
      }
  }
}
