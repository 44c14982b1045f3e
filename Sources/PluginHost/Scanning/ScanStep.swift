/// What the scanning process does with a plugin, in this order.
public enum ScanStep: UInt8, Hashable, Sendable, CaseIterable {
  /// The dynamic loader has it: its initializers run.
  case load = 1
  /// Its entry is called, and its features say what they take and what they send.
  case ask = 2
}
