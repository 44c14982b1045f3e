@_spi(Host) @testable import AppCore

/// The shared storage of a process that uses files, and what is reported in it.
struct SharingProcess {
  let files: FileSystem
  let reports = Guarded<[String]>([])
  let storage: SharedStorage

  init(_ files: FileSystem, delay: Duration? = nil) {
    self.files = files
    storage = SharedStorage(files: files, delay: delay)
  }

  func run<Result>(_ body: () async throws -> Result) async rethrows -> Result {
    try await RuntimeIssue.handling(with: { [reports] in reports.value += [$0] }) {
      try await withDependencies {
        $0.sharedStorage = storage
      } operation: {
        try await body()
      }
    }
  }
}
