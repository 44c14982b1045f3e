import Testing

@_spi(Host) @testable import AppCore

@Suite("Shared settings")
struct SharedSettingsTests {
  @Test("Settings are in one file, by plugin and key, and others' stay as they are")
  func settings() async throws {
    let files = FileSystem.inMemory(["/settings.json": #"{"Other":{"size":1},"mode":"dark"}"#])
    let process = SharingProcess(files)
    try await process.run {
      @Shared(.setting("size")) var size = 3
      @Shared(.setting("mode")) var mode = "light"
      #expect(mode == "dark")
      $size.withLock { $0 = 4 }
      PluginImages.register(try #require(UnsafeRawPointer(bitPattern: 48)), as: "Other")
      let other = Shared(
        wrappedValue: 9, .setting("size"), image: try #require(UnsafeRawPointer(bitPattern: 48)))
      #expect(other.wrappedValue == 1)
      other.withLock { $0 = 2 }
      #expect(size == 4)
    }
    #expect(
      try await Value(json: files.readText("/settings.json"))
        == ["Other": ["size": 2], "mode": "dark", "size": 4])
  }

  @Test(
    "Settings that are not an object are reported and not overwritten; once removed, they are used",
    arguments: ["[]", #"{"Gallery": "oops"}"#])
  func obstacle(content: String) async throws {
    let files = FileSystem.inMemory(["/settings.json": content])
    let process = SharingProcess(files)
    try await process.run {
      let image = try #require(UnsafeRawPointer(bitPattern: 96))
      PluginImages.register(image, as: "Gallery")
      let size = Shared(wrappedValue: 3, .setting("size"), image: image)
      size.withLock { $0 = 4 }
      #expect(try await files.readText("/settings.json") == content)
      #expect(process.reports.value.count == 1)
      #expect(process.reports.value.first?.contains("is not an object") == true)
      try await files.write("{}", to: "/settings.json")
      size.withLock { $0 = 5 }
      #expect(try await Value(json: files.readText("/settings.json")) == ["Gallery": ["size": 5]])
    }
  }

  @Test("A damaged setting that is removed from the file is written again")
  func removed() async throws {
    let files = FileSystem.inMemory(["/settings.json": #"{"size": "big"}"#])
    let process = SharingProcess(files)
    try await process.run {
      @Shared(.setting("size")) var size = 3
      $size.withLock { $0 = 4 }
      #expect(try await files.readText("/settings.json") == #"{"size": "big"}"#)
      try await files.write("{}", to: "/settings.json")
      $size.withLock { $0 = 5 }
      #expect(try await Value(json: files.readText("/settings.json")) == ["size": 5])
    }
    #expect(process.reports.value.count == 1)
  }
}
