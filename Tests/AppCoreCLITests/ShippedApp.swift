import Foundation
import TestSupport
import Testing

/// An app that ships, and lines that lead through its screens.
struct ShippedApp: Sendable, CustomTestStringConvertible, CustomStringConvertible {
  let name: String
  let lines: String
  /// What its screens depend on, made in a folder of its own.
  let surroundings: @Sendable (URL) throws -> [String: String]

  var description: String { name }
  var testDescription: String { name }

  static let all = [packages, notes]

  static let packages = ShippedApp(
    name: "packages",
    lines: """
      @filter libgcc
      @filter ""
      @libgcc-s1
      @depends.libc6
      @homepage
      :help open
      :graph
      :path --full
      :back
      :state
      :explain

      """
  ) { _ in ["APPCORE_DPKG_STATUS": "Tests/Fixtures/dpkg/demo-status"] }

  static let notes = ShippedApp(
    name: "notes",
    lines: """
      @name ada
      @login
      @search milk
      @all
      Shopping
      @text <<END
      Shopping
      Milk, eggs, 日本茶 and a café crème
      END
      :back
      Keep writing
      @delete
      :path --full
      Keep it
      :back
      Discard
      :tab Account
      :state
      :graph
      Log out
      :explain

      """
  ) { folder in
    let notes = folder.appendingPathComponent("notes/ada")
    try FileManager.default.createDirectory(at: notes, withIntermediateDirectories: true)
    let texts = [
      "Shopping\nMilk\neggs",
      "Ideas for the long evenings of winter, of which there are many, and none of them short",
      "日本語の歌 🎶\nkumbaya",
    ]
    for (number, text) in texts.enumerated() {
      let file = notes.appendingPathComponent(
        "\(number)0000000-0000-4000-8000-000000000000.1.txt")
      try Data(text.utf8).write(to: file)
      let date = Date(timeIntervalSince1970: 1_770_000_000 + Double(number) * 100_000)
      try FileManager.default.setAttributes([.modificationDate: date], ofItemAtPath: file.path)
    }
    return [
      "APPCORE_NOTES_FOLDER": notes.deletingLastPathComponent().path,
      "APPCORE_NOTES_SAVE_AFTER": "3600", "TZ": "UTC",
    ]
  }

  /// Everything that it prints for its lines; what differs from run to run is named instead.
  func screens(_ options: [String], _ environment: [String: String]) async throws -> String {
    let scratch = try TemporaryFolder()
    let result = try await Program.appcore(
      ["run", "manifests/\(name).yaml"] + options, input: lines,
      environment: surroundings(scratch.url).merging(environment) { $1 })
    #expect(result.status == 0, "\(result.errors)")
    return result.output
      .replacingOccurrences(of: scratch.url.path, with: "SCRATCH")
      .replacingOccurrences(of: buildFolder.path, with: "BUILD")
      .replacingOccurrences(of: "\u{1b}", with: "␛")
  }
}
