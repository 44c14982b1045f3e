@_spi(Host) internal import AppCore

extension ShellSession {
  /// Whether the screen, as it was printed last, shows `text`, ignoring case.
  public func shows(_ text: String, on screen: ShellScreen) -> Bool {
    let placement = Placement(screen.content, owner: screen.owner, paging: paging)
    return ScreenSearch(placement, title: screen.content.title, chrome: screen.chrome)
      .contains(text)
  }

  /// Whether the line may be kept in a history: it holds no secret, as far as can be told.
  public func mayRemember(_ text: String, on screen: ShellScreen) -> Bool {
    let index = ControlIndex(screen.content, owner: screen.owner)
    guard index.hasSecret else { return true }
    guard let line = try? LineParser(supported: settings.commands).parse(text) else {
      return false
    }
    switch line {
    case .nothing, .command, .number(_, nil, _), .identifier(_, nil): return true
    case .label(let label, nil): return !index.targets(label: label).isEmpty
    case .number(_, _?, _), .identifier(_, _?), .label(_, _?):
      let resolver = resolver(screen, lastShown, canAsk: false)
      guard case .activate(let activation) = try? resolver.resolve(line) else { return false }
      return !activation.isSecret
    }
  }
}
