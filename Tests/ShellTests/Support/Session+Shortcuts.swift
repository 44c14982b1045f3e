@_spi(Host) import AppCore
internal import Support

@testable import Shell

extension ShellSession {
  mutating func interpret(
    _ text: String, on screen: ShellScreen, seenScreen: Int? = nil
  ) -> Intent {
    interpret(Array(text.utf8), on: screen, seenScreen: seenScreen)
  }

  /// A session that has just shown `screen`.
  static func showing(
    _ screen: ShellScreen, _ settings: SessionSettings = SessionSettings()
  ) -> ShellSession {
    var session = ShellSession(settings)
    _ = session.frame(screen)
    return session
  }

  static let terminal = SessionSettings(isInteractive: true)
  static let json = SessionSettings(format: .json)
}

extension Intent {
  /// The code of the rejection; `nil` if the line was not rejected.
  var code: String? { if case .refused(let refusal) = self { refusal.code } else { nil } }

  /// The message of the rejection; `nil` if the line was not rejected.
  var text: String? { if case .refused(let refusal) = self { refusal.message } else { nil } }

  var activation: Activation? {
    if case .activate(let activation) = self { activation } else { nil }
  }

  var input: ControlInput? { activation?.input }
  var control: String? { activation?.label }
}
