internal import Support
import Testing

@testable import PluginHost

/// Damage that the loader follows without a look, one kind at a time.
@Suite("A table that the loader trusts")
struct ELFTableTests {
  let workshop: Workshop

  init() throws { workshop = try Workshop() }

  /// The complaint about a plugin in which `patch` changed something.
  func complaint(
    _ options: [String] = [], _ patch: (inout [UInt8], ELFFile) throws -> Void
  ) throws -> String {
    let bytes = try workshop.read(
      try workshop.plugin(
        "Table", more: "extern int getpid(void); int id(void) { return getpid(); }",
        options: options))
    var damaged = bytes
    try bytes.withUnsafeBytes { try patch(&damaged, try ELFFile($0)) }
    do {
      try damaged.withUnsafeBytes { _ = try ELFFile($0) }
    } catch let problem as Rejection {
      return problem.message
    }
    return "none"
  }

  /// Where a table that the dynamic section names lies in the file.
  func offset(_ tag: UInt64, _ elf: ELFFile) throws -> Int {
    let address = try #require(elf.dynamic[tag])
    return Int(try elf.offset(of: 8, at: address, .dynamicSection))
  }

  /// Where the value of an entry of the dynamic section lies in the file.
  func entry(_ tag: UInt64, _ bytes: [UInt8], _ elf: ELFFile) throws -> Int {
    var position = Int(elf.dynamicOffset)
    while bytes[position] != UInt8(truncatingIfNeeded: tag) || bytes[position + 1] != 0 {
      position += 16
    }
    return position + 8
  }

  @Test("A chain of the GNU hash table ends within the file")
  func chain() throws {
    let text = try complaint(["-Wl,--hash-style=gnu"]) { bytes, elf in
      // 16 bytes of header, one filter word, then buckets of symbol numbers.
      let table = try offset(ELFFile.Tag.gnuHash, elf)
      for bucket in 0..<Int(bytes[table]) where bytes[table + 24 + 4 * bucket] != 0 {
        bytes[table + 24 + 4 * bucket + 2] = 0xff
      }
    }
    #expect(text.contains("the GNU hash table at") && text.contains("are loaded from the file"))
  }

  @Test("Symbols have the size that the loader asserts")
  func symbolSize() throws {
    let text = try complaint { bytes, elf in
      bytes[try entry(ELFFile.Tag.symbolSize, bytes, elf)] = 9
    }
    #expect(text.hasSuffix("should have DT_SYMENT 24, and has 9"))
  }

  @Test("Versions are of libraries that are needed, and known")
  func versions() throws {
    let library = try complaint { bytes, elf in
      bytes[try offset(ELFFile.Tag.versionNeeds, elf) + 4] &+= 1
    }
    #expect(library.contains("should have a library that is needed, and has '"))
    let version = try complaint { bytes, elf in
      bytes[try offset(ELFFile.Tag.versions, elf) + 3] = 0x7f
    }
    #expect(version.contains("should have a version up to"))
    let link = try complaint { bytes, elf in
      let needs = try offset(ELFFile.Tag.versionNeeds, elf)
      bytes.replaceSubrange(needs + 8..<needs + 12, with: [0, 0, 0, 0])
    }
    #expect(link.hasSuffix("should have a link to an entry, and has 0"))
  }

  @Test("A symbol that others define is not marked as the file's own")
  func localUndefined() throws {
    let text = try complaint { bytes, elf in bytes[Int(elf.symbols.offset) + 24 + 5] = 2 }
    #expect(
      text.hasSuffix("should have an undefined symbol that others can define, and has a local one"))
  }

  @Test("The dynamic section ends, and is where it is loaded from")
  func dynamicSection() throws {
    let end = try complaint { bytes, elf in
      let dynamic = elf.segments.first { $0.kind == .dynamic }
      let size = Int(try #require(dynamic).fileSize)
      for position in stride(
        from: Int(elf.dynamicOffset), to: Int(elf.dynamicOffset) + size, by: 16)
      where bytes[position..<position + 8].allSatisfy({ $0 == 0 }) {
        bytes[position + 3] = 0x7f
      }
    }
    #expect(end.hasSuffix("should have an entry that ends it, and has its end"))
  }

  @Test("Names that overlap so that a small file would cost hours are refused")
  func overlappingNames() throws {
    let symbols = (0..<2000).map { "int symbol\($0);" }.joined(separator: "\n")
    let bytes = try workshop.read(try workshop.plugin("Many", more: symbols))
    var damaged = bytes
    try bytes.withUnsafeBytes { buffer in
      let elf = try ELFFile(buffer)
      let strings = try offset(ELFFile.Tag.strings, elf)
      let size = Int(try #require(elf.dynamic[ELFFile.Tag.stringsSize]))
      // One string of the whole table's length, and every symbol named by it.
      for index in strings..<strings + size - 1 { damaged[index] = 0x78 }
      for symbol in 1..<Int(elf.symbols.count) {
        let name = Int(elf.symbols.offset) + 24 * symbol
        damaged.replaceSubrange(name..<name + 4, with: [0, 0, 0, 0])
      }
    }
    let problem = try #require(throws: Rejection.self) {
      try damaged.withUnsafeBytes { _ = try ELFFile($0) }
    }
    #expect(problem.message.contains("the dynamic symbol table at"))
    #expect(problem.message.contains("should have names of"))
  }
}
