import Foundation
import Support
import TestSupport
import Testing

@testable import AppCoreCLI

@Suite("Archives")
struct ArchiveTests {
  private let long = String(repeating: "deep/", count: 60) + "name.txt"

  private var entries: [ArchiveEntry] {
    [ArchiveEntry](
      [
        BundleFile(path: "bin/run", bytes: Array("#!".utf8), isExecutable: true, part: .app),
        BundleFile(path: "empty", bytes: [], part: .app),
        BundleFile(path: long, bytes: [UInt8](repeating: 7, count: 1500), part: .app),
      ], below: "top/",
      and: [ArchiveEntry(path: "top/link", kind: .link("bin/run"))])
  }

  @Test("What is written is read, by this program and by tar")
  func roundTrip() async throws {
    let bytes = TarWriter.bytes(entries, time: 1_000_000_000)
    #expect(bytes.count % 10_240 == 0)
    #expect(try TarReader(bytes, archive: "a").entries == entries)
    let folder = try TemporaryFolder()
    try Data(bytes).write(to: folder.url.appendingPathComponent("a.tar"))
    let tar = try await Program.run(
      "/bin/bash", ["-c", "tar xf a.tar && stat -c '%a %Y' top/bin/run && wc -c < top/\(long)"],
      folder: folder.url, mergesErrors: true)
    #expect(tar.output == "755 1000000000\n1500\n")
  }

  @Test("Archives of GNU tar, with long names and in its own form, are read too")
  func gnu() async throws {
    // In ustar, a path of more than 100 bytes is in two parts, of 256 bytes at most.
    let shorter = String(repeating: "deep/", count: 29) + "name.txt"
    for (form, long) in [("gnu", long), ("ustar", shorter), ("pax", long)] {
      let folder = try TemporaryFolder()
      try folder.write("top/\(long)", "text")
      let tar = try await Program.run(
        "/bin/bash", ["-c", "tar --format=\(form) -cf a.tar top"], folder: folder.url,
        mergesErrors: true)
      #expect(tar.status == 0 && tar.output.isEmpty, "\(form): \(tar.output)")
      let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("a.tar")))
      let files = try TarReader(bytes, archive: "a").entries.filter { $0.kind != .folder }
      #expect(files.map(\.path) == ["top/\(long)"], "\(form)")
    }
  }

  @Test(
    "A member that would be written elsewhere is refused",
    arguments: [
      "ln -s ../.. a/up", "ln -s /etc a/root", "mkfifo a/pipe", "ln a/file a/hard",
      "ln -s . a/here; ln -s here/.. a/through",
      "T=--transform=s,a/file,../../file,", "T='-P --transform=s,a/file,/tmp/file,'",
      "T=--transform=s,a/file,a/../../file,",
    ])
  func unsafe(command: String) async throws {
    let folder = try TemporaryFolder()
    try folder.write("a/file", "text")
    let made = try await Program.run(
      "/bin/bash", ["-c", "T=; \(command); tar -P $T -cf a.tar a"], folder: folder.url,
      mergesErrors: true)
    #expect(made.status == 0, "\(made.output)")
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("a.tar")))
    let error = #expect(throws: BundleError.self) { try TarReader(bytes, archive: "a.tar") }
    #expect(error?.cause.code == "archive-unsafe", "\(String(describing: error))")
  }

  @Test("A slash with a mark after it is one for the system, and so for what is refused")
  func marks() throws {
    for entry in [
      ArchiveEntry(path: "../\u{301}x", kind: .link("y")),
      ArchiveEntry(path: "a/link", kind: .link("../\u{301}x/../../../y")),
    ] {
      let bytes = TarWriter.bytes([entry], time: 0)
      let error = #expect(throws: BundleError.self) { try TarReader(bytes, archive: "a.tar") }
      #expect(error?.cause.code == "archive-unsafe")
    }
  }

  @Test("A member behind a link is refused, in either order, and so is one that is there twice")
  func links() throws {
    let file = ArchiveEntry(path: "a/file", kind: .file([], isExecutable: false))
    let link = ArchiveEntry(path: "a", kind: .link("b"))
    for entries in [[link, file], [file, link], [file, file]] {
      let error = #expect(throws: BundleError.self) {
        try TarReader(TarWriter.bytes(entries, time: 0), archive: "a")
      }
      #expect(error?.cause.code == "archive-unsafe")
    }
  }

  @Test(
    "No bytes are too damaged to be refused: every prefix, and every byte of the headers changed")
  func damage() throws {
    let small = Array(
      TarWriter.bytes(
        [ArchiveEntry(path: "a/b", kind: .file(Array("text".utf8), isExecutable: false))], time: 0
      ).prefix(2048))
    for count in 0..<1536 {
      #expect(throws: BundleError.self) { try TarReader(Array(small[..<count]), archive: "a") }
    }
    // The checksum itself is a number, which can be written in several ways.
    for position in 0..<512 where !(148..<156).contains(position) {
      for bit in 0..<8 {
        var bytes = small
        bytes[position] ^= 1 << bit
        // The checksum covers the header; what is behind the members is not looked at.
        #expect(throws: BundleError.self, "\(position) \(bit)") {
          try TarReader(bytes, archive: "a")
        }
      }
    }
  }

  @Test("A package's archive is read up to its data, and damage is refused")
  func debian() throws {
    let bytes = DebianArchive.bytes(control: [1, 2, 3], data: [4, 5], time: 0)
    let data = try DebianArchive.data(of: bytes, archive: "a.deb")
    #expect(data.name == "data.tar.gz" && data.bytes == [4, 5])
    for count in 0..<bytes.count - 1 {
      #expect(throws: BundleError.self, "\(count)") {
        try DebianArchive.data(of: Array(bytes[..<count]), archive: "a.deb")
      }
    }
  }

  @Test("What unpacks to more than the limit is cut off")
  func bomb() async throws {
    let folder = try TemporaryFolder()
    let made = try await Program.run(
      "/bin/bash", ["-c", "head -c \(TarReader.sizeLimit + 4096) /dev/zero | gzip -1 > b.gz"],
      folder: folder.url)
    #expect(made.status == 0)
    let bytes = [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("b.gz")))
    let packing = Compression(
      folder: folder.path, environment: ProcessInfo.processInfo.environment)
    let error = #expect(throws: BundleError.self) {
      try packing.decompress(bytes, name: "b.tar.gz", for: "b.tar.gz")
    }
    #expect(error?.cause.code == "archive-too-large", "\(String(describing: error))")
  }

  @Test("Digests and dates are as those of other programs")
  func digests() {
    #expect("\(MD5([]))" == "d41d8cd98f00b204e9800998ecf8427e")
    #expect("\(MD5(Array("abc".utf8)))" == "900150983cd24fb0d6963f7d28e17f72")
    let digits = Array(String(repeating: "1234567890", count: 8).utf8)
    #expect("\(MD5(digits))" == "57edf4a22be3c955ac49da2e2107b67a")
    #expect(DebianDate.text(1_000_000_000) == "Sun, 09 Sep 2001 01:46:40 +0000")
    #expect(DebianDate.day(0) == "1970-01-01")
  }
}
