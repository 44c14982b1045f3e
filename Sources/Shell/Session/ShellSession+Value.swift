@_spi(Host) package import AppCore
internal import Support

extension ShellSession {
  /// The object that the next JSON frame would be, as a value; this session stays as it is.
  ///
  /// `null` for a screen whose sections nest deeper than any JSON line may.
  package func value(of screen: ShellScreen) -> Value {
    var copy = self
    copy.settings.format = .json
    guard let line = copy.frame(screen).first else { return .null }
    return (try? JSONReader.value(line.utf8)) ?? .null
  }
}
