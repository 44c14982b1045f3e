import Foundation
import Glibc
import TestSupport
import Testing

/// What disks do that can't be written.
@Suite("The notes app, on disks that take nothing", .ownThread)
struct NotesDiskTests {
  /// Whether this process may mount: in a namespace of its own, as root or as a user that may.
  private static let mounting = Task {
    let script = "mount -t tmpfs tmpfs \"$1\""
    guard let folder = try? TemporaryFolder(),
      let result = try? await Program.run(
        "/usr/bin/unshare",
        [
          "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh",
          folder.url.path,
        ])
    else { return false }
    return result.status == 0
  }

  @Sendable private static func canMount() async -> Bool { await mounting.value }

  /// Runs lines with the notes on a disk of its own, which nobody else sees; `preparation` and
  /// `after` are shell commands, which find it as `$disk`.
  private func run(
    _ lines: [String], mounted options: String, preparation: String, after: String
  ) async throws -> ProgramResult {
    let program = try NotesProgram()
    let disk = program.scratch.url.appendingPathComponent("disk").path
    try FileManager.default.createDirectory(atPath: disk, withIntermediateDirectories: true)
    let script = """
      disk=$1; shift
      mount -t tmpfs -o \(options) tmpfs "$disk" || exit 90
      \(preparation)
      "$@"
      status=$?
      \(after)
      exit $status
      """
    return try await Program.run(
      "/usr/bin/unshare",
      [
        "--map-root-user", "--mount", "/bin/sh", "-c", script, "sh", disk, NotesProgram.appcore,
        "run", "manifests/notes.yaml", "--set", "folder=\(disk)",
      ],
      input: (["@name ada", "@login"] + lines).map { $0 + "\n" }.joined())
  }

  @Test(
    "A full disk is a message, the text stays, and is saved once there is room",
    .enabled { await canMount() })
  func full() async throws {
    let text = String(repeating: "x", count: 60_000)
    let result = try await run(
      [
        "@new", "@text small", "@save", ":expect Saved", "@text \(text)", "@save",
        ":expect No space left on device; make room on the disk, then try again",
        ":expect The text is kept here.", ":expect \(text.prefix(40))", ":back",
        ":expect It could not be saved", "@dialog.cancel", "@text smaller", "@save",
        ":expect Saved",
      ],
      mounted: "size=64k", preparation: "head -c 40000 /dev/zero > \"$disk/filler\"",
      after: "cat \"$disk\"/ada/*.txt; ls -A \"$disk/ada\" | wc -l")
    #expect(result.status == 0, "\(result.errors)")
    // The last two versions, and nothing that a failed save left behind.
    #expect(result.output.hasSuffix("smallsmaller2\n"))
  }

  @Test(
    "A folder that can't be written is a message, and the text stays", .enabled { await canMount() }
  )
  func readOnly() async throws {
    let result = try await run(
      [
        "@new", "@text Milk", "@save", ":expect Read-only file system",
        ":expect The text is kept here.", ":expect Milk", ":back", ":expect It could not be saved",
        "@dialog.discard", ":expect There are no notes yet.",
      ],
      mounted: "size=64k", preparation: "mount -o remount,ro \"$disk\"", after: "")
    #expect(result.status == 0, "\(result.errors)")
  }

  @Test(
    "A folder that a person may not write is a message that says so", .enabled(if: getuid() != 0))
  func forbidden() async throws {
    let program = try NotesProgram()
    try FileManager.default.createDirectory(
      atPath: program.folder, withIntermediateDirectories: true,
      attributes: [.posixPermissions: 0o555])
    let result = try await program.run([
      "@new", "@text Milk", "@save",
      ":expect Permission denied; get the permission to write there, then try again",
    ])
    #expect(result.status == 0, "\(result.errors)")
  }
}
