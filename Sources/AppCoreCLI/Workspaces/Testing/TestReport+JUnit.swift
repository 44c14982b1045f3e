extension TestReport {
  /// The report in JUnit's XML format, for continuous integration.
  public var junit: String {
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text += "<testsuites\(Self.counts(tests)) time=\"\(Self.seconds(suites.map(\.duration)))\">\n"
    for suite in suites {
      text += "  <testsuite name=\"\(Self.escaped(suite.name))\"\(Self.counts(suite.tests))"
      text += " time=\"\(Self.seconds([suite.duration]))\">\n"
      for test in suite.tests { text += Self.element(test, in: suite) }
      text += "  </testsuite>\n"
    }
    return text + "</testsuites>\n"
  }

  private static func counts(_ tests: [Test]) -> String {
    let failures = tests.count { $0.outcome.isFailure }
    let skipped = tests.count { $0.outcome == .skipped }
    return " tests=\"\(tests.count)\" failures=\"\(failures)\" errors=\"0\" skipped=\"\(skipped)\""
  }

  private static func element(_ test: Test, in suite: Suite) -> String {
    let head =
      "    <testcase classname=\"\(escaped(suite.kind)).\(escaped(suite.name))\" "
      + "name=\"\(escaped(test.name))\" time=\"\(seconds([test.duration]))\""
    switch test.outcome {
    case .passed: return head + "/>\n"
    case .skipped: return head + "><skipped/></testcase>\n"
    case .failed(let reason):
      let first = reason.split(separator: "\n").first.map(String.init) ?? ""
      return head + ">\n      <failure message=\"\(escaped(first))\">\(escaped(reason))</failure>\n"
        + "    </testcase>\n"
    }
  }

  /// Seconds with three decimals and a point, whatever the locale.
  private static func seconds(_ durations: [Duration]) -> String {
    let milliseconds = durations.reduce(.zero, +) / .milliseconds(1)
    let whole = Int(milliseconds.rounded())
    let rest = String(whole % 1000)
    return "\(whole / 1000)." + String(repeating: "0", count: 3 - rest.count) + rest
  }

  /// A text for an attribute or an element.
  ///
  /// XML doesn't allow most control characters, not even as references.
  static func escaped(_ text: String) -> String {
    var result = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result.append(contentsOf: "&amp;".unicodeScalars)
      case "<": result.append(contentsOf: "&lt;".unicodeScalars)
      case ">": result.append(contentsOf: "&gt;".unicodeScalars)
      case "\"": result.append(contentsOf: "&quot;".unicodeScalars)
      case "\n": result.append(contentsOf: "&#10;".unicodeScalars)
      case "\t": result.append(contentsOf: "&#9;".unicodeScalars)
      default:
        let isAllowed =
          scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF
          && !(0x7F...0x9F).contains(scalar.value)
        result.append(isAllowed ? scalar : "\u{FFFD}")
      }
    }
    return String(result)
  }
}
