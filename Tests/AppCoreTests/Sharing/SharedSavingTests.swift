import Testing

@_spi(Host) @testable import AppCore

@Suite("Saving shared values")
struct SharedSavingTests {
  private struct Settings: Codable, Equatable, Sendable, Defaulted {
    var size = 12
    var limit: Int? = 5
  }

  private let path = "/a/s.json"
  private let disk = Disk()

  /// A process that writes only what it is asked to.
  private func process() -> SharingProcess {
    SharingProcess(FileSystem(disk), delay: .seconds(3600))
  }

  private func sharedSettings() -> Shared<Settings> {
    Shared(wrappedValue: Settings(), .file(path))
  }

  @Test("A field that is nil and has a default stays nil; one that the file lacks has its default")
  func absent() async throws {
    try await process().run {
      let settings = sharedSettings()
      settings.withLock { $0.limit = nil }
      try await settings.save()
      #expect(disk.text(path) == "{\n  \"limit\": null,\n  \"size\": 12\n}\n")
    }
    await process().run { #expect(sharedSettings().wrappedValue.limit == nil) }
    disk.put(#"{"size": 1}"#, at: path)
    await process().run { #expect(sharedSettings().wrappedValue == Settings(size: 1)) }
  }
}
