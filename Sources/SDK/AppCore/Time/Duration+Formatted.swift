/// How ``Swift/Duration/formatted(_:)`` writes a duration.
public enum DurationStyle: Sendable {
  /// Hours, minutes and seconds, as in `1:05:09`.
  case time
  /// Minutes and seconds, as in `65:09`.
  case minutes
  /// The units that are not zero, as in `1 hr, 5 min, 9 sec`; `0 sec` for none.
  case units
}

extension Duration {
  /// The duration in whole seconds, for people to read: `Duration.seconds(65).formatted(.minutes)`
  /// is `1:05`.
  ///
  /// A fraction of a second is rounded, halves away from zero.
  public func formatted(_ style: DurationStyle) -> String {
    let (seconds, attoseconds) = components
    let sign = self < .zero ? "-" : ""
    let isRounded = attoseconds.magnitude >= 500_000_000_000_000_000
    // Of a magnitude beyond Int64 the largest is shown.
    let (total, overflows) = seconds.magnitude.addingReportingOverflow(isRounded ? 1 : 0)
    let all = overflows ? UInt64.max : total
    let isZero = all == 0
    let text =
      switch style {
      case .time: "\(all / 3_600):\((all / 60 % 60).padded(to: 2)):\((all % 60).padded(to: 2))"
      case .minutes: "\(all / 60):\((all % 60).padded(to: 2))"
      case .units:
        isZero
          ? "0 sec"
          : [(all / 3_600, "hr"), (all / 60 % 60, "min"), (all % 60, "sec")]
            .filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }.joined(separator: ", ")
      }
    return isZero ? text : sign + text
  }
}
