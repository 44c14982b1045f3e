internal import Foundation
package import Testing

/// Checks a function against a table of inputs and expected outputs.
///
/// The table is `Tests/Fixtures/tables/NAME.txt`. A row is `INPUT → OUTPUT`; other lines are headings. In
/// inputs, a space at an end is written as `␠`, and control characters as their pictures, such as `␉`.
/// `RECORD=1` writes the outputs.
package func expectTable(
  _ name: String, sourceLocation: SourceLocation = #_sourceLocation, says: (String) throws -> String
) throws {
  let file = packageFolder.appendingPathComponent("Tests/Fixtures/tables/\(name).txt")
  let rows = try String(contentsOf: file, encoding: .utf8).components(separatedBy: "\n")
  var rowCount = 0
  let recorded = try rows.map { row in
    guard let arrow = row.range(of: " → ") ?? row.range(of: " →") else { return row }
    rowCount += 1
    let input = String(
      String.UnicodeScalarView(
        row[..<arrow.lowerBound].unicodeScalars.map { scalar in
          guard scalar != "␠" else { return " " }
          return (0x2400..<0x2420).contains(scalar.value)
            ? Unicode.Scalar(UInt8(scalar.value - 0x2400)) : scalar
        }))
    return "\(row[..<arrow.lowerBound]) → \(try says(input))"
  }
  try #require(rowCount > 0, "\(file.path) has no rows", sourceLocation: sourceLocation)
  if ProcessInfo.processInfo.environment["RECORD"] == "1" {
    return try recorded.joined(separator: "\n").write(to: file, atomically: true, encoding: .utf8)
  }
  for (row, now) in zip(rows, recorded) where row != now {
    Issue.record(
      "\(name).txt says '\(row)', and now it is '\(now)'", sourceLocation: sourceLocation)
  }
}
