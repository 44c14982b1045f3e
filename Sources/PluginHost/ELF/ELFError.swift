internal import Support

/// A defect in a file that should be a shared object.
///
/// It names the structure, its offset and the expected value, so that the message can be checked
/// against the output of `readelf`. Offsets are in bytes from the start of the file.
public struct ELFError: Error, Hashable, Sendable {
  /// A structure of the format, in the words of its specification.
  public enum Structure: String, Hashable, Sendable {
    case fileHeader = "file header"
    case programHeaders = "program header table"
    case sectionHeaders = "section header table"
    case loadSegment = "loadable segment"
    case dynamicSection = "dynamic section"
    case stringTable = "dynamic string table"
    case symbolTable = "dynamic symbol table"
    case hashTable = "symbol hash table"
    case gnuHashTable = "GNU hash table"
    case versionTable = "symbol version table"
    case notes = "note segment"
    case threadStorage = "thread storage segment"
  }

  /// What is wrong.
  public enum Kind: Hashable, Sendable {
    /// The file does not begin with ELF's magic number.
    case notELF(ForeignFile)
    /// The file's class is not 64 bits.
    case notClass64(UInt8)
    /// The file's byte order is not little-endian.
    case notLittleEndian(UInt8)
    /// The file is for another processor.
    case otherMachine(UInt16, host: UInt16)
    /// The file is an ELF file, but not a shared object.
    case notSharedObject(FileType)
    /// A structure reaches past the end of the file.
    case truncated(end: UInt64, fileSize: UInt64)
    /// A structure holds a value that it can't have.
    case malformed(expected: String, found: String)
  }

  /// The type of an ELF file that is not a shared object.
  public enum FileType: Hashable, Sendable {
    case relocatable
    case executable
    case core
    case unknown(UInt16)
  }

  /// The structure that is wrong.
  public let structure: Structure
  /// The offset of the structure, in bytes from the start of the file.
  public let offset: UInt64
  /// What is wrong with it.
  public let kind: Kind

  init(_ structure: Structure, at offset: UInt64, _ kind: Kind) {
    self.structure = structure
    self.offset = offset
    self.kind = kind
  }

  static func malformed(
    _ structure: Structure, at offset: UInt64, expected: String, found: some CustomStringConvertible
  ) -> ELFError {
    ELFError(structure, at: offset, .malformed(expected: expected, found: found.description))
  }
}

extension Rejection {
  /// The file is not a shared object for this machine, or it is damaged.
  static func notALibrary(_ error: ELFError) -> Rejection {
    let place = "the \(error.structure.rawValue) at \(hex(error.offset))"
    return switch error.kind {
    case .notELF(.unknown): Rejection(.pluginNotELF, "this is not an ELF file")
    case .notELF(let file): Rejection(.pluginNotELF, "this is \(file.rawValue)")
    case .notClass64(1): Rejection(.pluginOtherMachine, "it is for 32-bit programs")
    case .notClass64(let found):
      Rejection(.pluginOtherMachine, "its class at 0x4 is \(found) instead of 2 (64-bit)")
    case .notLittleEndian(2): Rejection(.pluginOtherMachine, "it is for a big-endian machine")
    case .notLittleEndian(let found):
      Rejection(
        .pluginOtherMachine, "its byte order at 0x5 is \(found) instead of 1 (little-endian)")
    case .otherMachine(let machine, let host):
      Rejection(
        .pluginOtherMachine,
        "it is for \(ELFConstants.Machine.name(machine)), and this host is "
          + ELFConstants.Machine.name(host))
    case .notSharedObject(let type):
      Rejection(.pluginNotShared, "this is \(type.words), not a shared library")
    case .truncated(.max, _):
      Rejection(.pluginTruncated, "\(place) reaches past the end of all memory")
    case .truncated(let end, let size):
      Rejection(
        .pluginTruncated,
        "cut off: \(place) reaches to \(hex(end)), and the file ends at \(hex(size))")
    case .malformed(let expected, let found):
      Rejection(.pluginDamaged, "damaged: \(place) should have \(expected), and has \(found)")
    }
  }
}

extension ELFError.FileType {
  fileprivate var words: String {
    switch self {
    case .relocatable: "an object file"
    case .executable: "an executable"
    case .core: "a core dump"
    case .unknown(let number): "an ELF file of type \(number)"
    }
  }
}
