import AppCore

// expect: 'Presents' has been renamed to 'Presented'
struct PresentsState { @Presents var child: Int? }

func texts() {
  // expect: texts are strings: write a String
  _ = TextState("Title")
}

func clocks() {
  // expect: write 'AppClock.immediate', as in '$0.clock = .immediate'
  _ = ImmediateClock()
  // expect: 'continuousClock' has been renamed to 'clock'
  @Dependency(\.continuousClock) var clock
  // expect: 'suspendingClock' has been renamed to 'clock'
  @Dependency(\.suspendingClock) var other
}

func shared() {
  // expect: 'appStorage' has been renamed to 'setting(_:)'
  @Shared(.appStorage("size")) var size = 12
  // expect: 'fileStorage' has been renamed to 'file(_:)'
  @Shared(.fileStorage("/rows.json")) var rows = [1]
}

func reports() {
  // expect: 'reportIssue' has been replaced by 'RuntimeIssue.report(_:)'
  reportIssue("the stock is negative")
}
