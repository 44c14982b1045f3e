import Foundation
import Support
import TestSupport
import Testing

@testable import AppCoreCLI

@Suite("Archives")
struct ArchiveTests {
  private let long = String(repeating: "deep/", count: 60) + "name.txt"

  /// The bytes of an archive that commands make in a folder of their own, as `a.tar`.
  private func archive(_ commands: String, with file: String? = nil) async throws -> [UInt8] {
    let folder = try TemporaryFolder()
    if let file { try folder.write(file, "text") }
    let made = try await Program.run(
      "/bin/bash", ["-c", commands], folder: folder.url, mergesErrors: true)
    try #require(made.status == 0, "\(made.output)")
    return [UInt8](try Data(contentsOf: folder.url.appendingPathComponent("a.tar")))
  }

  @Test("Folders, files, programs and links are read")
  func kinds() async throws {
    let bytes = try await archive(
      """
      mkdir -p top/bin; echo '#!' >top/bin/run; chmod 755 top/bin/run; : >top/empty
      ln -s bin/run top/link; tar --sort=name -cf a.tar top
      """)
    #expect(
      try TarReader(bytes, archive: "a").members == [
        .init(path: "top", kind: .folder), .init(path: "top/bin", kind: .folder),
        .init(path: "top/bin/run", kind: .file(Array("#!\n".utf8), isExecutable: true)),
        .init(path: "top/empty", kind: .file([], isExecutable: false)),
        .init(path: "top/link", kind: .link("bin/run")),
      ])
  }

  @Test("Archives of GNU tar, with long names and in its own form, are read too")
  func gnu() async throws {
    // In ustar, a path of more than 100 bytes is in two parts, of 256 bytes at most.
    let shorter = String(repeating: "deep/", count: 29) + "name.txt"
    for (form, long) in [("gnu", long), ("ustar", shorter), ("pax", long)] {
      let bytes = try await archive("tar --format=\(form) -cf a.tar top", with: "top/\(long)")
      let files = try TarReader(bytes, archive: "a").members.filter { $0.kind != .folder }
      #expect(files.map(\.path) == ["top/\(long)"], "\(form)")
    }
  }

  @Test("What GNU's own form has in place of a prefix is not part of a path, as it is not to tar")
  func prefix() async throws {
    var bytes = try await archive("mkdir a; echo >a/b; tar --format=gnu -cf a.tar a/b")
    bytes[345] = UInt8(ascii: "x")
    sum(&bytes)
    #expect(try TarReader(bytes, archive: "a").members.map(\.path) == ["a/b"])
  }

  /// Writes the checksum of a header.
  private func sum(_ header: inout [UInt8]) {
    header.replaceSubrange(148..<156, with: repeatElement(0x20, count: 8))
    let sum = String(header[..<512].reduce(0) { $0 + Int($1) }, radix: 8)
    header.replaceSubrange(148..<148 + sum.utf8.count, with: sum.utf8)
  }

  @Test(
    "What is no file has no contents, in which programs that unpack it would find members",
    arguments: ["5", "2", "x5", "L"])
  func hiddenMembers(kinds: String) async throws {
    let bytes = try await archive("mkdir a; printf text >a/b; tar --format=ustar -cf a.tar a/b")
    let header = Array(bytes[..<512])
    func outer(_ kind: Character, _ size: Int, _ contents: [UInt8]) -> [UInt8] {
      var outer = header
      outer.replaceSubrange(0..<3, with: Array("a/c".utf8))
      let digits = String(size, radix: 8)
      let field = String(repeating: "0", count: 11 - digits.count) + digits
      outer.replaceSubrange(124..<135, with: Array(field.utf8))
      outer[156] = kind.asciiValue ?? 0
      if kind == "2" { outer[157] = UInt8(ascii: "b") }
      sum(&outer)
      return outer + contents
    }
    let hidden = Array(bytes[..<1024])
    let size = Array("13 size=1024\n".utf8)
    let padded = size + [UInt8](repeating: 0, count: 512 - size.count)
    let archive =
      switch kinds {
      case "x5": outer("x", size.count, padded) + outer("5", 0, hidden)
      case "L": outer("L", 512, padded)
      default: outer(Character(kinds), 1024, hidden)
      }
    let end = [UInt8](repeating: 0, count: 1024)
    let error = #expect(throws: BundleError.self) {
      try TarReader(archive + (kinds == "L" ? [] : bytes[..<1024]) + end, archive: "a.tar")
    }
    let code = kinds == "L" ? "archive-damaged" : "archive-unsafe"
    #expect(error?.cause.code == code, "\(String(describing: error))")
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
    let bytes = try await archive("T=; \(command); tar -P $T -cf a.tar a", with: "a/file")
    let error = #expect(throws: BundleError.self) { try TarReader(bytes, archive: "a.tar") }
    #expect(error?.cause.code == "archive-unsafe", "\(String(describing: error))")
  }

  @Test("A slash with a mark after it is one for the system, and so for what is refused")
  func marks() async throws {
    for name in ["../\u{301}x", "a/link"] {
      let target = name == "a/link" ? "../\u{301}x/../../../y" : "y"
      let bytes = try await archive(
        """
        mkdir a; ln -s '\(target)' a/own
        tar -P --transform='flags=r;s,^a/own$,\(name),' -cf a.tar a/own
        """)
      let error = #expect(throws: BundleError.self) { try TarReader(bytes, archive: "a.tar") }
      #expect(error?.cause.code == "archive-unsafe")
    }
  }

  @Test("A member behind a link is refused, in either order, and so is one that is there twice")
  func links() async throws {
    for members in ["link file", "file link", "file file"] {
      let bytes = try await archive(
        """
        mkdir a; echo >a/file; ln -s b link; tar -cf a.tar -T /dev/null
        for member in \(members); do
          case $member in
            link) tar -rf a.tar --transform=s,link,a, link ;;
            file) tar -rf a.tar a/file ;;
          esac
        done
        """)
      let error = #expect(throws: BundleError.self) { try TarReader(bytes, archive: "a") }
      #expect(error?.cause.code == "archive-unsafe")
    }
  }

  @Test("Links are found along paths and targets that are as deep as an archive can have")
  func deepPaths() async throws {
    let bytes = try await archive("ln -s b a; tar --format=ustar -cf a.tar a")
    func member(_ kind: Character, _ path: String, target: String = "b") -> [UInt8] {
      func line(_ text: String) -> String {
        let size = (1...9).map { text.utf8.count + 2 + $0 }.first {
          "\($0)".count + text.utf8.count + 2 == $0
        }
        return "\(size ?? 0) \(text)\n"
      }
      let names = Array((line("path=\(path)") + line("linkpath=\(target)")).utf8)
      var outer = Array(bytes[..<512])
      let digits = String(names.count, radix: 8)
      let field = String(repeating: "0", count: 11 - digits.count) + digits
      outer.replaceSubrange(124..<135, with: Array(field.utf8))
      outer[156] = UInt8(ascii: "x")
      sum(&outer)
      var own = Array(bytes[..<512])
      own[156] = kind.asciiValue ?? 0
      sum(&own)
      return outer + names + [UInt8](repeating: 0, count: (512 - names.count % 512) % 512) + own
    }
    func read(_ members: [[UInt8]]) throws -> [TarReader.Member] {
      try TarReader(
        Array(members.joined()) + [UInt8](repeating: 0, count: 1024), archive: "a.tar"
      ).members
    }
    let deep = Array(repeating: "d", count: 2000).joined(separator: "/")
    let members = (0..<300).map { member("5", "\(deep)/\($0)") }
    let long = Array(repeating: "d", count: 20_000).joined(separator: "/")
    let other = member("2", "x/y/link", target: "../" + long)
    #expect(try read(members + [other]).count == 301)
    let middle = Array(repeating: "d", count: 1000).joined(separator: "/")
    for link in ["d", middle, deep] {
      let error = #expect(throws: BundleError.self) { try read(members + [member("2", link)]) }
      #expect(
        error.map { "\($0)".contains("is behind the link '\(link)'") } == true, "\(link.count)")
    }
    // Above the links, a target can still lead through one of them.
    let links = [
      member("2", "\(middle)/link"), member("2", "d/x", target: "../\(middle)/link/../y"),
    ]
    let error = #expect(throws: BundleError.self) { try read(links) }
    #expect(error.map { "\($0)".contains("the link 'd/x' leads through another link") } == true)
    #expect(try read([member("2", "d/a"), member("2", "d/x", target: "../d/a")]).count == 2)
  }

  @Test(
    "No bytes are too damaged to be refused: every prefix, and every byte of the headers changed")
  func damage() async throws {
    let small = Array(
      try await archive("mkdir a; printf text >a/b; tar --format=ustar -cf a.tar a/b").prefix(2048))
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
    func member(_ name: String, _ contents: String) -> String {
      func field(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: width - text.count)
      }
      return field(name, 16) + field("0", 12) + field("0", 6) + field("0", 6) + field("100644", 8)
        + field("\(contents.utf8.count)", 10) + "`\n" + contents
        + (contents.utf8.count % 2 == 1 ? "\n" : "")
    }
    let package =
      "!<arch>\n" + member("debian-binary", "2.0\n") + member("control.tar.gz", "123")
      + member("data.tar.gz", "45")
    let bytes = Array(package.utf8)
    let data = try BundleArchive.member("data.tar", ofDebianPackage: bytes, archive: "a.deb")
    #expect(data.name == "data.tar.gz" && data.bytes == Array("45".utf8))
    for count in 0..<bytes.count - 1 {
      #expect(throws: BundleError.self, "\(count)") {
        try BundleArchive.member(
          "data.tar", ofDebianPackage: Array(bytes[..<count]), archive: "a.deb")
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
    let work = try WorkFolder(in: folder.path)
    let error = #expect(throws: BundleError.self) {
      try work.decompress(bytes, name: "b.tar.gz", for: "b.tar.gz")
    }
    #expect(error?.cause.code == "archive-too-large", "\(String(describing: error))")
  }
}
