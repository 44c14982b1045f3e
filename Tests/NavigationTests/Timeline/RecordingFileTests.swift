import Foundation
import Glibc
internal import Sessions
import TestSupport
import Testing

@Suite("The file of a recording")
struct RecordingFileTests {
  private func mode(_ path: String) -> mode_t {
    var status = stat()
    return stat(path, &status) == 0 ? status.st_mode & 0o777 : 0
  }

  /// How the first line of a recording begins.
  private static let header = #"{"app":"a","begun":1,"compiler":"6.2","manifest":{}}"#

  @Test("A file that is not a recording is left as it was, unless it is empty")
  func foreign() throws {
    let folder = try TemporaryFolder()
    for text in ["dear diary\n", "{}\n", #"{"app":"a"}"#, "\0", " " + Self.header] {
      let file = try folder.write("a.recording", text).path
      #expect(chmod(file, 0o644) == 0)
      #expect(throws: RecordingFileRefusal.foreign, "\(text)") { try RecordingFile(path: file) }
      #expect(try String(contentsOfFile: file, encoding: .utf8) == text)
      #expect(mode(file) == 0o644)
    }
    try RecordingFile(path: folder.write("empty", "").path).close()
  }

  @Test("Its owner alone can read it, even where it was there before")
  func permissions() throws {
    let folder = try TemporaryFolder()
    let file = try folder.write("a.recording", Self.header + "\n").path
    #expect(chmod(file, 0o644) == 0)
    try RecordingFile(path: file).close()
    #expect(mode(file) == 0o600)
    #expect(try String(contentsOfFile: file, encoding: .utf8).isEmpty)
  }

  @Test("A line that was cut is removed before the recording is continued")
  func continued() throws {
    let folder = try TemporaryFolder()
    let long = String(repeating: "x", count: 200_000)
    for (before, after) in [
      ("one\ntwo\n", "one\ntwo\n"), ("one\n{\"n\":", "one\n"), ("one\n" + long, "one\n"),
      (long, ""), ("", ""),
    ] {
      let file = try folder.write("a.recording", before).path
      let recording = try RecordingFile(path: file, continues: true)
      try recording.write(["three"])
      recording.close()
      #expect(try String(contentsOfFile: file, encoding: .utf8) == after + "three\n")
    }
  }

  @Test("A pipe, a folder and a device are refused at once")
  func others() throws {
    let folder = try TemporaryFolder()
    let pipe = folder.url.appendingPathComponent("pipe").path
    #expect(mkfifo(pipe, 0o600) == 0)
    for path in [pipe, folder.path, "/dev/null"] {
      for continues in [false, true] {
        #expect(throws: RecordingFileRefusal.notRegular, "\(path)") {
          try RecordingFile(path: path, continues: continues)
        }
      }
    }
    #expect(throws: RecordingFileRefusal.system(ENOENT)) {
      try RecordingFile(path: folder.path + "/none/a")
    }
  }
}
