public import Navigation

/// Tests name instances by their numbers.
extension SlotID: ExpressibleByIntegerLiteral {
  public init(integerLiteral value: UInt64) { self.init(number: value) }
}
