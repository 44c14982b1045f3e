import AppCore
import AppCoreTesting

@testable import Notes

let noon = Instant(secondsSinceEpoch: 1_000_000_000)
let folder = NoteFolder(path: "/notes")

/// A note's file, as tests name notes: by a number.
func file(_ id: Int, _ version: Int) -> NoteFile { NoteFile(id: UniqueID(id), version: version) }

/// Where Ada's note is.
func path(_ id: Int, _ version: Int) -> String { "/notes/ada/\(file(id, version).name)" }

func files(_ texts: [String: String] = [:]) -> FileSystem {
  .inMemory(texts, date: .constant(noon))
}

func summary(_ id: Int, _ title: String) -> NoteSummary {
  NoteSummary(id: UniqueID(id), title: title, changed: noon)
}

/// Runs with these files; new notes are numbered from 0.
func with<Result>(
  _ files: FileSystem, operation: () async throws -> Result
) async rethrows -> Result {
  try await withDependencies {
    $0.context = .test
    $0.fileSystem = files
    $0.uuid = .incrementing
    $0.environment = [:]
  } operation: {
    try await operation()
  }
}

/// What is left in Ada's folder.
func names(_ files: FileSystem) async throws -> [String] { try await files.list("/notes/ada") }
