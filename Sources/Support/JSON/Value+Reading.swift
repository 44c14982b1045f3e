@_spi(Host) package import AppCore

extension Value {
  /// The value that a text is as JSON; `nil` if it is none.
  package init?(json text: String) {
    guard let value = try? JSONReader.value(text.utf8) else { return nil }
    self = value
  }
}
